/** The language subtags of the IANA registry (as of 2025-08-25), including deprecated ones. */
const TWO_LETTERS: ReadonlySet<string> = new Set(
  `
  aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga
  gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it iu iw ja ji jv jw ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln
  lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk
  sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
`
    .trim()
    .split(/\s+/),
);

/**
 * There are thousands of three-letter codes, so they are a bitmap: one bit per combination from aaa to zzz, least
 * significant bit first.
 */
const THREE_LETTERS = Buffer.from(
  '//39/u//v9v7//769x88V2+Xc/j///9wvwP//88FhXLp//1/////d//////////j6f///028Cnq+/////v/3/////98r9PHwXeefFAcg3+2fP8kh+L/u////////f/////9//f////d/////////57' +
    '//////7/////+//////9////P/+3/////+///7///3///9////f9/////+///f///f+////v//////93+//dWtf0D/nMFDLAglQQBQRACAu//yn7RCRdabNIj3e+cXV1V9Dhw3f/Pvn/9dOGUIABC8' +
    '/7////9/Nz7Hx9//AYEAsAWAACAAAANAAACSIdD/ff/e/l4EAAJkjRnB33siAAAA323eJuXZ8/7//c+fFEEMhgDRAPDHZ1/WmV637e8DAAIAAADAd9pXkm0BLtZ79P9/fwAAAAEMVgMAALAUJ1EWCg' +
    'ABAAAQEUkAAGAQAAAAEAAARAQAEIAFGAAABQCAKAQAAFDVLRBkNSRT9dW/4s0DAIAAQAAAAAAABBc5Ad1XmSGYpwgAAUCCAAAABAAAAAIBQABEAACw/qs5AAIAAAAEAAAAAAAgAEAEAAAAAgAAABCD' +
    'qAUAAAAABCAEpggEAAiBUAAACDGGQAAAAABAAAP1AxAIBAAAAOA7sxMAgAARAAAAAAAAAAAAAAAA///////fz4OiwP/fJ+8f5QMQILLFpkUlmwPf+d8D1EiQAQ6B45NU2zjzf/9t+f//fwQIAAEhEj' +
    'xf/Q+FT0RAAAT//f/W6Bv0N6MNAAAge3kCB4QA8P9//gAYBIEAAACAEJQcAQAAAAAAEEAABAi0/qUMQAAAkSQEbABg8P/7f/YcBZ/fbgMAEQAAAEAFtbaCKAQABFHi//0/BQkIBUAAAAAAEAAADAAA' +
    'AAChAmznSBSIIMBHgAcAAADMUEAkhUeEQCAQACACUIgRANns7lA3HRFpDlnrMwgAIAVAEAAAAFBElknWXaeDR5f7ABAACACAAEBFAAECAAFAgABGCPjr9znEnRYAAAwEASAg3aIBAAAAEkQAAAQQ8J' +
    '2VEwSAAAHQFkAAEPCQYkzSAgFKAEYEAAgCACDAAIAGAAgAAAAA8NjvFQIIAAABAAAAABABABAAAAD/1+P9//////9////+////////////3//7///b/f////7//////////////f/f/9z/////////' +
    '//77//////////7//f/////////v/////////////3v93d//vJgFLP8H8P//fwAIAMN9HwbmcvD/fH9EIjCfex79/1fy/z//8h6V9///R4ABAgAgQFWfit/5bhGHUdD7/3dAAwXRWFwAQAAQBAIAIA' +
    'qAe7f9/v7////////v////f/////////////f//99///9/////7/+9///7////33/9//f///f////7/+///////3/f/7/v9////////////v//f////////P/9f///n77//v9/938CggT/////1+//' +
    '//f/4p7n//f/Vv3N///////v//3/fQ+nUQbEl9Bdr6b//f9jXVv///8/IBQAV1HCZfVN4v//30KFxQUEIgB0aRAIBUEAAQYAAAAAAFFgBQQBAAAGESAAGAGS8f1nawaVBlft+02de4MEYkAAFUIAAA' +
    'BUg/lfEI7JRt/3EzEAIAAAAJAAAAAAAAoQAAFAAPDf/b99vs//v0IUhGGw/116BAIASS0UJ//t8b/vPwAAAsfgHvy7//379/33///89e1H9H8QAQHEf//33flfBYbv9Xe9PQAAAENxQgBAAAABQxkk' +
    'CAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAO+951fuE10JwUAh+hcBgAAAAADw/v+/ACMAIAAACAAAMLXjEAAAABEkFgABAj' +
    'CDowFQAAGDEUgAAADw3///EqoQf9hSAIAgAAAAAEAUAgI9QBBCEGFfnDEAAAABXAIgAAABAEIBIAAAv9//////P9/ez73/r///f0tAEPH97/33///73/9/8Xvxf/9//+7377//2//f//1+v1f/b4F2' +
    'n9z3/f////v+/19XX+9fUBhi/v+fFZ8VD33GfaGS9fd+///////93f///fZf/z9AmAL/4//z9v7f/99/0D4Ve7z/vv//9///93////7f99f97y+Av8X/////n//////9v99/Rh93//jbXc99Frnqe6' +
    'AeIAAwAgQkSAQAAEDUBgQAAAQABAAwCQZQAAgAAAAkAAQAENxY100PVE/xFmTVSgpAAgBAAAgAAADc/+sfWEhBJKAEADASQCIAEAAAAAAAAAEAAACAEBC/b5MAAQAAAAAAAADAgC0AAAAAAAAKAAAA' +
    'wIbCAgABAAH/GAIAEvD/eT8AJQAAAAoAAAAAAABAABADACkgAAABAACDAAAAAAEAAAAAAAAAAAAAAAD////Pfr4REAAAkgFGzfFeAAEAMBQEVRABBPY/egUEALCAIFV1l33fccx41UP1V2cUAQAAAA' +
    'AALPfbH1Rgg2gFEIs4ugEAADAAJEQAABADMQIBAADw9f/X17xw1nh6FVAFpITpQQAAAGs5UnRA6DCQapIAAAL/7/9/hVP07///8t3HTPVC/P//HwCAwFbMFp/7N33v/72krwFEGAFdTkoIUCgw4IAQ' +
    'ICQA////b/4BBogqQBYBARUrPgEAABCQaUUCAgHhv78DAAAQ3KfRVJ5E3/2PbrNVINTD2DA9gAAAAEz0EcWEb1AAIlB/v9sHACAQhLJFEAZEAAASAhEA8P/9fwUCFokAAAAIABAMAwAAAACDMAIohA' +
    'AzwCMkAAAAy+Q6RshU8f//fxYBAYRQB/z//w8BAEAQOAEBHBJA4XYWCAMQAAAAAQAAAAAAIiQKQIAAAAA=',
  'base64',
);

/** `subtag` must be lower case. */
export function isLanguageSubtag(subtag: string): boolean {
  if (/^[a-z]{2}$/.test(subtag)) return TWO_LETTERS.has(subtag);
  if (!/^[a-z]{3}$/.test(subtag)) return false;
  const index = [...subtag].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 97, 0);
  return (((THREE_LETTERS[index >> 3] as number) >> (index & 7)) & 1) === 1;
}
