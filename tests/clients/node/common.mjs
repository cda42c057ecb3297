// What the scripts of the node clients share; see python/common.py. They know nothing of toolstub.
import { readFileSync, writeFileSync } from "node:fs";

const env = process.env;
export const BASE = env.BASE_URL;
export const FORMAT = env.FORMAT;
export const STREAM = env.STREAM === "1";
export const MODEL = "stand-in";
export const KEY = "any-key";
export const SYSTEM = "You read logs, and answer with ANSWER NAME=VALUE.";
export const QUESTIONS = JSON.parse(env.QUESTIONS);
export const DESCRIPTION = "The whole log of a service.";
export const SCHEMA = {
  type: "object",
  properties: { service: { type: "string", description: "The name of a service." } },
  required: ["service"],
  additionalProperties: false,
};

const called = [];
const answers = [];

export function getLog({ service }) {
  called.push(service);
  return readFileSync(`${env.LOGS}/${service}.log`, "utf-8");
}

export function run(name, given) {
  if (name !== "get_log") throw new Error(`called for ${name}, which this client does not have`);
  return getLog(typeof given === "string" ? JSON.parse(given) : given);
}

export function answered(text) {
  answers.push(String(text));
}

export function finish(view) {
  writeFileSync(env.VIEW, JSON.stringify({ answers, called, view }));
}
