// @ts-check
// Values of options, in the way commander wants to be told of one that will not do.
import { InvalidArgumentError } from "commander";

/** @param {string} text */
export function positive(text) {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number) && number > 0) return number;
  throw new InvalidArgumentError("It must be a number above 0.");
}

/** @param {string} text */
export function whole(text) {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}

/** @param {string} text */
export function counting(text) {
  const number = whole(text);
  if (number > 0) return number;
  throw new InvalidArgumentError("It must be at least 1.");
}
