// The anthropic SDK for node, with thinking.
import Anthropic from "@anthropic-ai/sdk";
import { BASE, DESCRIPTION, KEY, MODEL, QUESTIONS, SCHEMA, STREAM, SYSTEM, answered, finish, run } from "./common.mjs";

const client = new Anthropic({ baseURL: BASE, apiKey: KEY, maxRetries: 0 });
const tools = [{ name: "get_log", description: DESCRIPTION, input_schema: SCHEMA }];
const messages = [];
for (const question of QUESTIONS) {
  messages.push({ role: "user", content: question });
  for (;;) {
    const request = { model: MODEL, max_tokens: 4096, system: SYSTEM, messages, tools,
      thinking: { type: "enabled", budget_tokens: 2000 } };
    const whole = STREAM ? await client.messages.stream(request).finalMessage() : await client.messages.create(request);
    messages.push({ role: "assistant", content: whole.content });
    const uses = whole.content.filter(({ type }) => type === "tool_use");
    if (!uses.length) {
      answered(whole.content.filter(({ type }) => type === "text").map(({ text }) => text).join(""));
      break;
    }
    messages.push({ role: "user", content: uses.map(({ id, name, input }) =>
      ({ type: "tool_result", tool_use_id: id, content: [{ type: "text", text: run(name, input) }] })) });
  }
}
finish(messages);
