/** What the examples of checks leave open, as it looks where somebody published an example as it is. */

/** In texts that visitors read, where capitals alone say nothing: "YOUR CART" is a heading of many shops. */
export const VISIBLE_BLANK =
  /\bYOUR (?:ANSWER IN ONE SHORT PARAGRAPH|AUTHOR NAME|BLOG NAME|CUSTOMER QUESTION|DATE AS YYYY-MM-DD|FIRST STEP|IMAGE DESCRIPTION|LINK TEXT|LONG INTRODUCTION|OLD SUMMARY|OLD TITLE|PAGE CONTENT|PAGE SUBJECT|PAGE SUMMARY|PAGE TITLE|PRODUCT NAME|RELATED PAGE|SECOND STEP|SECTION SUBJECT|SHORT ANSWER|SITE NAME|SITE SLOGAN|SUMMARY IN ONE SENTENCE)\b/;

/** In addresses, and in data for machines. */
export const BLANK = /\bYOUR(?: |%20)[A-Z]{2,}/;
