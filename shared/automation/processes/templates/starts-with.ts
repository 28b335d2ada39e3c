import { own } from '../../../kernel/collections/own-members.ts'
import type { Template } from './template.ts'

/** What an author calls the triggers of start events. */
const names: Readonly<Record<string, string>> = { message: 'a message', signal: 'a signal', timer: 'a timer' }

/** That a process cannot be started by hand, for messages: `The process starts with a message or a timer only`. */
export function startsWithOnly({ starts = [] }: Pick<Template, 'starts'>): string {
  const found = starts.flatMap(({ triggers }) => triggers.flatMap(({ on }) => own(names, on) ?? []))
  const list = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(new Set(found))
  return `The process starts with ${list === '' ? 'an event' : list} only`
}

/** What to do instead, for who uses the API; undefined: nothing but wait. */
export const insteadOfStart = ({ starts = [] }: Pick<Template, 'starts'>): string => {
  const kinds = new Set(starts.flatMap(({ triggers }) => triggers.map(({ on }) => on)))
  if (kinds.has('message')) return ': send that to POST /api/sys/process-messages'
  return kinds.has('signal') ? ': send that to POST /api/sys/process-signals' : ''
}
