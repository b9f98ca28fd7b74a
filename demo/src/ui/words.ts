// Numbers as the page writes them, always with their unit nearby.

export function grouped(number: number): string {
  return Math.round(number).toLocaleString("en");
}

/** A share in percent: with a digit behind the point where a whole number would say too little, and never rounded up to all. */
export function percent(share: number): string {
  const value = share * 100;
  if (value > 99 && value < 100) return `${Math.min(value, 99.9).toFixed(1)}%`;
  return `${value !== 0 && value < 9.95 ? value.toFixed(1) : grouped(value)}%`;
}

/** US dollars, with three digits that mean something. */
export function dollars(amount: number): string {
  if (amount === 0) return "$0";
  const digits = Math.min(6, Math.max(amount < 100 ? 2 : 0, 2 - Math.floor(Math.log10(amount))));
  return `$${amount.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

/** The same for the ticks of an axis: round amounts, written briefly. */
export function briefDollars(amount: number): string {
  return `$${Number(amount.toPrecision(3))}`;
}

export function micros(time: number): string {
  return `${time < 9.95 ? time.toFixed(1) : grouped(time)} µs`;
}

export function bytes(count: number): string {
  if (count < 10_000) return `${grouped(count)} bytes`;
  return count < 10_000_000 ? `${grouped(count / 1_000)} kB` : `${grouped(count / 1_000_000)} MB`;
}

/** "1 tool", "2 tools". */
export function counted(count: number, word: string): string {
  return `${grouped(count)} ${word}${count === 1 ? "" : "s"}`;
}
