/** Points rounded to a tenth, for display. */
export const points = (number: number): string => (Math.round(number * 10) / 10).toString();
