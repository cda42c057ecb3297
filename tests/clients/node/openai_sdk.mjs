// The openai SDK for node: chat completions and Responses.
import OpenAI from "openai";
import { BASE, DESCRIPTION, FORMAT, KEY, MODEL, QUESTIONS, SCHEMA, STREAM, SYSTEM, answered, finish, run } from "./common.mjs";

const client = new OpenAI({ baseURL: `${BASE}/v1`, apiKey: KEY, maxRetries: 0 });
const FUNCTION = { name: "get_log", description: DESCRIPTION, parameters: SCHEMA, strict: true };

async function chat() {
  const messages = [{ role: "system", content: SYSTEM }];
  const tools = [{ type: "function", function: FUNCTION }];
  for (const question of QUESTIONS) {
    messages.push({ role: "user", content: question });
    for (;;) {
      const request = { model: MODEL, messages, tools };
      const whole = STREAM
        ? await client.chat.completions.stream({ ...request, stream_options: { include_usage: true } }).finalChatCompletion()
        : await client.chat.completions.create(request);
      const { content, tool_calls: calls = [] } = whole.choices[0].message;
      const made = calls.map(({ id, function: { name, arguments: given } }) =>
        ({ id, type: "function", function: { name, arguments: given } }));
      messages.push({ role: "assistant", content, ...(made.length ? { tool_calls: made } : {}) });
      if (!made.length) {
        answered(content);
        break;
      }
      for (const { id, function: { name, arguments: given } } of made)
        messages.push({ role: "tool", tool_call_id: id, content: run(name, given) });
    }
  }
  return messages;
}

async function responses() {
  const items = [];
  const tools = [{ type: "function", ...FUNCTION }];
  for (const question of QUESTIONS) {
    items.push({ role: "user", content: question });
    for (;;) {
      const request = { model: MODEL, instructions: SYSTEM, input: items, tools, reasoning: { effort: "low" },
        store: false, include: ["reasoning.encrypted_content"] };
      const whole = STREAM
        ? await client.responses.stream(request).finalResponse()
        : await client.responses.create(request);
      items.push(...whole.output.map(({ parsed_arguments: _, ...item }) =>
        item.type === "message" ? { ...item, content: item.content.map(({ parsed: __, ...part }) => part) } : item));
      const calls = whole.output.filter(({ type }) => type === "function_call");
      if (!calls.length) {
        answered(whole.output_text);
        break;
      }
      for (const { call_id, name, arguments: given } of calls)
        items.push({ type: "function_call_output", call_id, output: run(name, given) });
    }
  }
  return items;
}

finish(await { chat, responses }[FORMAT]());
