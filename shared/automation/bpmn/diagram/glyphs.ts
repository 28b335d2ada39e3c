/** Drawn around the middle of an event. */
export const eventGlyphs: Readonly<Record<string, string>> = {
  timer: 'M-8 0a8 8 0 1 0 16 0a8 8 0 1 0 -16 0M0 -5V0L4 2',
  message: 'M-8 -5H8V5H-8ZL0 1L8 -5',
  signal: 'M0 -7L7 5H-7Z',
  error: 'M-6 6L-2 -6L2 2L6 -6',
  escalation: 'M-6 7L0 -7L6 7L0 1Z',
  conditional: 'M-6 -7H6V7H-6ZM-3 -3H3M-3 0H3M-3 3H3',
  compensate: 'M0 -6V6L-7 0ZM7 -6V6L0 0Z',
  cancel: 'M-5 -5L5 5M5 -5L-5 5',
  link: 'M-7 -3H2V-7L8 0L2 7V3H-7Z',
  terminate: 'M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0',
}

/** The mark in the middle of a gateway. */
export const gatewayGlyphs: Readonly<Record<string, string>> = {
  exclusiveGateway: 'M-6 -6L6 6M6 -6L-6 6',
  parallelGateway: 'M0 -9V9M-9 0H9',
  inclusiveGateway: 'M-8 0a8 8 0 1 0 16 0a8 8 0 1 0 -16 0',
  eventBasedGateway: 'M-9 0a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M0 -5L5 -1L3 5H-3L-5 -1Z',
  complexGateway: 'M0 -9V9M-9 0H9M-6 -6L6 6M6 -6L-6 6',
}

/** In the corner of an activity, in a square of 16. */
export const activityGlyphs: Readonly<Record<string, string>> = {
  userTask: 'M5 4a3 3 0 1 0 6 0a3 3 0 1 0 -6 0M2 15c0 -8 12 -8 12 0Z',
  manualTask: 'M2 6H9L7 3H9L14 8V13H4L2 11Z',
  scriptTask: 'M3 2H13V14H3ZM5 5H11M5 8H11M5 11H9',
  serviceTask: 'M4 8a4 4 0 1 0 8 0a4 4 0 1 0 -8 0M8 1V4M8 12V15M1 8H4M12 8H15',
  sendTask: 'M2 4H14V12H2ZL8 9L14 4',
  receiveTask: 'M2 4H14V12H2ZL8 9L14 4',
  businessRuleTask: 'M2 3H14V13H2ZM2 6H14M6 6V13M2 9H14',
}

/** What happened at an element: it failed there, it waits there now with so many tokens, or it was there. */
export interface Mark {
  readonly is: 'failed' | 'active' | 'done'
  readonly tokens: number
}

/** What an instance has gone through, where it is, and what failed in it. */
interface Happened {
  readonly history: readonly { readonly element_id: string; readonly status: string }[]
  readonly tokens: readonly { readonly element_id: string }[]
  readonly incidents: readonly { readonly element_id: string | null; readonly status: string }[]
}

/** What to mark in the picture of an instance: where it fails counts more than where it is, and that more than where it was. */
export function marksOf({ history, tokens, incidents }: Happened): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>()
  for (const { element_id: id, status } of history) if (status === 'completed') marks.set(id, { is: 'done', tokens: 0 })
  for (const { element_id: id } of tokens) marks.set(id, { is: 'active', tokens: (marks.get(id)?.tokens ?? 0) + 1 })
  for (const { element_id: id, status } of incidents)
    if (id !== null && status === 'open') marks.set(id, { is: 'failed', tokens: marks.get(id)?.tokens ?? 0 })
  return marks
}

/** Breaks a text into lines at its words; what does not fit ends with an ellipsis. */
export function wrapText(
  text: string,
  { characters, lines: most }: { readonly characters: number; readonly lines: number },
): string[] {
  const lines: string[] = []
  for (const word of text.trim().split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= characters) lines[lines.length - 1] = `${last} ${word}`
    else
      for (let start = 0; start < word.length; start += characters)
        lines.push(word.slice(start, start + characters).toWellFormed())
  }
  if (lines.length <= most) return lines
  const kept = lines.slice(0, most)
  const last = kept.at(-1) ?? ''
  return [...kept.slice(0, -1), `${last.slice(0, Math.max(0, characters - 1)).toWellFormed()}…`]
}
