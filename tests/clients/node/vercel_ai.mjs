// ai, with the models of @ai-sdk for the three formats and for chat APIs like OpenAI's.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";
import { BASE, DESCRIPTION, FORMAT, KEY, MODEL, QUESTIONS, STREAM, SYSTEM, answered, finish, getLog } from "./common.mjs";

const at = { baseURL: `${BASE}/v1`, apiKey: KEY };
const models = {
  chat: () => createOpenAI(at).chat(MODEL),
  compatible: () => createOpenAICompatible({ name: "other", includeUsage: true, ...at })(MODEL),
  responses: () => createOpenAI(at).responses(MODEL),
  messages: () => createAnthropic(at)(MODEL),
};
const model = models[process.env.VARIANT || FORMAT]();
const tools = { get_log: tool({ description: DESCRIPTION, inputSchema: z.object({ service: z.string() }), execute: async (given) => getLog(given) }) };
const messages = [];
for (const question of QUESTIONS) {
  messages.push({ role: "user", content: question });
  const request = { model, tools, messages, system: SYSTEM, stopWhen: stepCountIs(6), maxRetries: 0 };
  if (STREAM) {
    const result = streamText(request);
    for await (const part of result.fullStream) if (part.type === "error") throw part.error;
    answered(await result.text);
    messages.push(...(await result.response).messages);
  } else {
    const result = await generateText(request);
    answered(result.text);
    messages.push(...result.response.messages);
  }
}
finish(messages);
