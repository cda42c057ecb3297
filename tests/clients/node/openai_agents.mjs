// @openai/agents, with its models for chat completions and for Responses.
import { Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, run, setTracingDisabled, tool } from "@openai/agents";
import OpenAI from "openai";
import { z } from "zod";
import { BASE, DESCRIPTION, FORMAT, KEY, MODEL, QUESTIONS, STREAM, SYSTEM, answered, finish, getLog } from "./common.mjs";

setTracingDisabled(true);
const client = new OpenAI({ baseURL: `${BASE}/v1`, apiKey: KEY, maxRetries: 0 });
const Model = { chat: OpenAIChatCompletionsModel, responses: OpenAIResponsesModel }[FORMAT];
const agent = new Agent({
  name: "reader",
  instructions: SYSTEM,
  model: new Model(client, MODEL),
  tools: [tool({ name: "get_log", description: DESCRIPTION, parameters: z.object({ service: z.string() }), execute: async (given) => getLog(given) })],
});
let items = [];
for (const question of QUESTIONS) {
  items.push({ role: "user", content: question });
  const result = await run(agent, items, { stream: STREAM });
  if (STREAM) {
    for await (const _ of result);
    await result.completed;
  }
  answered(result.finalOutput);
  items = result.history;
}
finish(items);
