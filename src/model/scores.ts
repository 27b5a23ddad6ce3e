/** The bands of a score, as screens and pictures colour them. */

export const GOOD_FROM = 80;
export const FAIR_FROM = 50;
