/** What the examples of checks leave open, as it looks where somebody published an example as it is. */

/** In texts that visitors read, where capitals alone say nothing: "YOUR CART" is a heading of many shops. */
export const VISIBLE_BLANK =
  /\bYOUR (?:ANSWER IN ONE SHORT PARAGRAPH|AUTHOR NAME|BLOG NAME|CUSTOMER QUESTION|DATE AS YYYY-MM-DD|FIRST STEP|IMAGE DESCRIPTION|LINK TEXT|LONG INTRODUCTION|MEASUREMENT ID|OLD SUMMARY|OLD TITLE|PAGE CONTENT|PAGE SUBJECT|PAGE SUMMARY|PAGE TITLE|PRODUCT NAME|RELATED PAGE|SECOND STEP|SECTION SUBJECT|SHORT ANSWER|SITE NAME|SITE SLOGAN|SUMMARY IN ONE SENTENCE|VERIFICATION CODE)\b/;

/** At the start of an address, in a line of robots.txt, and as a whole value of structured data. */
export const BLANK_ADDRESS = /^(?:https?:\/\/)?YOUR(?: |%20)[A-Z]{2,}/;
export const BLANK_LINE = /\bYOUR(?: |%20)[A-Z]{2,}/;
export const BLANK_VALUE = /"(?:https?:\/\/)?YOUR(?: [A-Z]{2,}){1,6}"/;
export const BLANK_FILE = /[/=]YOUR%20[A-Z]{2,20}(?:%20[A-Z]{2,20}){0,5}$/;
