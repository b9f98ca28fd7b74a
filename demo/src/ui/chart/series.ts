/** A line of a chart. */
export interface Series {
  label: string;
  color: string;
  dash: string;
  strong: boolean;
  points: { x: number; y: number }[];
}
