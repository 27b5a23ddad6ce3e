/** Whether a heading is a question, judged by its question mark or by its first word in the page's language. */
import type { PageFacts } from '../../facts/pageFacts.ts';

const ASKING: Readonly<Record<string, RegExp>> = {
  // "How conflicts are presented" is a statement, "How are conflicts presented" a question.
  en: /^(?:(?:how|what|why|when|where|who|whom|which) (?:to|do|does|did|is|are|was|were|can|could|should|will|would|has|have|may|must)|how (?:much|many|long|often|far|big|old|fast)|(?:can|could|does|do|did|is|are|should|will|would) (?:i|you|we|he|she|it|they|the|this|that|there|these|my|your|our|a|an))\b/i,
  de: /^(?:wie|was|warum|wieso|weshalb|wann|wo|wohin|woher|wer|wem|wen|welche[rsnm]?|kann|können|darf|muss|gibt es)\b/i,
  fr: /^(?:comment|pourquoi|quand|où|qui|que|quoi|quel(?:le)?s?|combien|est-ce|peut-on|faut-il)\b/i,
  es: /^¿|^(?:cómo|qué|por qué|cuándo|cuánto|cuánta|cuántos|cuántas|dónde|quién|quiénes|cuál|cuáles)(?=\s|$)/i,
  it: /^(?:come|cosa|che cosa|perché|quando|dove|chi|quale|quali|quanto|quanti)(?=\s|$)/i,
  pt: /^(?:como|o que|por que|quando|onde|quem|qual|quais|quanto|quantos)(?=\s|$)/i,
  nl: /^(?:hoe|wat|waarom|wanneer|waar|wie|welke|kan|mag|moet)\b/i,
  sv: /^(?:hur|vad|varför|när|var|vem|vilken|vilka|kan|får)(?=\s|$)/i,
  da: /^(?:hvordan|hvad|hvorfor|hvornår|hvor|hvem|hvilken|hvilke|kan)(?=\s|$)/i,
  no: /^(?:hvordan|hva|hvorfor|når|hvor|hvem|hvilken|hvilke|kan)(?=\s|$)/i,
  pl: /^(?:jak|co|dlaczego|kiedy|gdzie|kto|czy|który|która|które|ile)(?=\s|$)/i,
  cs: /^(?:jak|co|proč|kdy|kde|kdo|který|která|které|kolik)(?=\s|$)/i,
  tr: /^(?:nasıl|ne|neden|niçin|ne zaman|nerede|kim|hangi|kaç)(?=\s|$)/i,
  ru: /^(?:как|что|почему|зачем|когда|где|кто|какой|какая|какие|сколько)(?=\s|$)/i,
  uk: /^(?:як|що|чому|навіщо|коли|де|хто|який|яка|які|скільки)(?=\s|$)/i,
};

/** Question marks in Latin, Greek, Arabic, Armenian and East Asian scripts. */
const MARK = /[?？؟՞;]\s*$/;

export function isQuestion(heading: string, { lang, language }: PageFacts): boolean {
  const text = heading.trim();
  if (text.endsWith(';') ? /^el\b/i.test(lang ?? '') : MARK.test(text)) return true;
  const code = language?.code ?? (lang ?? 'en').trim().toLowerCase().slice(0, 2);
  return ASKING[code]?.test(text) === true;
}
