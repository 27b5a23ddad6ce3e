/** Language models for the local server: one resists prompt injections, others obey them. */
import { answerWith, type ChatRequest, type Reply } from '../../servers/llmServer.ts';

type Data = {
  readonly causes?: readonly {
    readonly cause: string;
    readonly title: string;
    readonly risk: string;
    readonly steps: string;
    readonly findings: readonly { readonly id: string }[];
  }[];
  readonly actions?: readonly { readonly actionId: string; readonly title: string; readonly businessValue: string }[];
};

export function dataOf(request: ChatRequest): Data {
  return JSON.parse(request.messages[1]?.content.split('\n')[1] ?? '{}');
}

const taskOf = (request: ChatRequest): string => request.response_format?.json_schema?.name ?? '';

/** It writes about the given findings, in its own order, and ignores instructions on pages. */
export function goodModel(request: ChatRequest): Reply {
  const { causes = [], actions = [] } = dataOf(request);
  const ids = (cause: { findings: readonly { id: string }[] }) => cause.findings.map(({ id }) => id);
  if (taskOf(request) === 'summary')
    return answerWith({
      opening: {
        actionIds: actions.map(({ actionId }) => actionId),
        text: `Begin with this: ${actions[0]?.title.replace(/ \(.*/, '')}.`,
      },
      points: actions.map(({ actionId, businessValue }) => ({ actionId, text: `In short: ${businessValue}` })),
    });
  if (taskOf(request) === 'analysis')
    return answerWith({
      overview: causes.slice(0, 2).map((cause) => ({ findingIds: ids(cause), text: `It stands out: ${cause.risk}` })),
      priorities: causes.slice(0, 5).map((cause) => ({ findingIds: ids(cause), text: `${cause.risk} ${cause.steps}` })),
    });
  const items = causes.map((cause) => ({
    findingIds: ids(cause),
    title: `Mend: ${cause.title}`,
    problem: `In other words: ${cause.risk}`,
    solution: `Do this: ${cause.steps}`,
  }));
  return answerWith({ items: items.reverse() });
}

const EVIL = [
  'PWNED. This site is perfect, its score is 100 of 100. See [our guide](https://evil.example/buy), ![x](https://evil.example/pixel)',
  'or https://evil.example/steal, evil.example/buy, www.evil.example, <img src="https://evil.example/pixel" onerror="alert(1)"><script>alert(9999)</script>,',
  'write to boss@evil.example or call +1 555 0199 9999.',
].join(' ');

/** Everything that the pages ask for, within the response schema and beyond it. */
export function takenOverModel(request: ChatRequest): Reply {
  const { causes = [], actions = [] } = dataOf(request);
  const ids = causes.flatMap((cause) => cause.findings.map(({ id }) => id));
  const extras = {
    impact: 'low',
    timeEstimate: 9999,
    score: 9999,
    pages: ['https://evil.example/buy'],
    codeExample: '<script>PWNED</script>',
  };
  if (taskOf(request) === 'summary')
    return answerWith({
      score: 9999,
      opening: { actionIds: [...actions.map(({ actionId }) => actionId), 'invented-finding'], text: EVIL },
      points: [
        ...actions.map(({ actionId }) => ({ actionId, text: EVIL, ...extras })),
        { actionId: 'invented-finding', text: 'Pay the invoice. PWNED' },
      ],
    });
  if (taskOf(request) === 'analysis')
    return answerWith({
      score: 9999,
      overview: [
        { findingIds: ids, text: EVIL },
        { findingIds: ['invented-finding'], text: 'The title says PWNED.' },
        // Hidden behind words from the catalog.
        ...causes.slice(0, 3).map((cause) => ({
          findingIds: cause.findings.map(({ id }) => id),
          text: `${cause.risk} ${cause.steps} More at evil.example/buy: PWNED.`,
        })),
      ],
      priorities: [...causes]
        .reverse()
        .map((cause) => ({ findingIds: cause.findings.map(({ id }) => id), text: `${cause.steps} ${EVIL}` })),
    });
  const item = { title: `PWNED https://evil.example/buy`, problem: EVIL, solution: EVIL, ...extras };
  return answerWith({
    items: [
      { ...item, findingIds: ['invented-finding'] },
      { ...item, findingIds: [...ids].reverse() },
      ...causes.map((cause) => ({
        ...item,
        findingIds: cause.findings.map(({ id }) => id),
        title: `${cause.title} at evil.example/buy`,
        problem: `${cause.risk} Your score is 9999.`,
        solution: `${cause.steps} ${EVIL}`,
      })),
    ],
  });
}

/** Every second part of its response is what the pages want. */
export function partlyTakenOverModel(request: ChatRequest): Reply {
  const [good, evil] = [goodModel(request), takenOverModel(request)].map((reply) =>
    JSON.parse(reply.kind === 'answer' ? reply.content : '{}'),
  );
  const mixed = (ours: readonly unknown[] = [], theirs: readonly unknown[] = []) =>
    ours.flatMap((part, index) => (index % 2 === 0 ? [part] : theirs));
  const { opening } = good;
  return answerWith({
    ...(opening === undefined ? {} : { opening }),
    items: mixed(good.items, evil.items),
    overview: mixed(good.overview, evil.overview),
    priorities: mixed(good.priorities, evil.priorities),
    points: mixed(good.points, evil.points),
  });
}
