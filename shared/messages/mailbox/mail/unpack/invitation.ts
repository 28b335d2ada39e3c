import type ICAL from 'ical.js'
import { own } from '../../../../kernel/collections/own-members.ts'
import { cleanLine, cleanText } from '../clean-text.ts'
import type { Invitation } from '../parts/parsed-mail.ts'

/** A calendar that is read, and what is kept of its texts. */
const maxCalendarBytes = 512 * 1024
const maxLineCharacters = 500
const maxDescriptionCharacters = 20_000

/** The first meeting of a calendar (RFC 5545); undefined for one without any, or one that cannot be read. */
export async function readInvitation(bytes: Buffer, timeZone: string): Promise<Invitation | undefined> {
  if (bytes.length > maxCalendarBytes) return undefined
  const { default: Ical } = await import('ical.js')
  try {
    const calendar = new Ical.Component(Ical.parse(bytes.toString().replace(/^\uFEFF/, '')))
    const event = calendar.getFirstSubcomponent('vevent') ?? calendar.getFirstSubcomponent('vtodo')
    return event ? invitationOf(Ical, calendar, event, timeZone) : undefined
  } catch {
    // It stays the file that it is.
    return undefined
  }
}

function invitationOf(
  Ical: typeof ICAL,
  calendar: ICAL.Component,
  component: ICAL.Component,
  timeZone: string,
): Invitation {
  const line = (name: string): string | null => cleanLine(textOf(component, name), maxLineCharacters) || null
  const event = new Ical.Event(component)
  const starts = component.getFirstProperty('dtstart') ? momentOf(event.startDate, component, 'dtstart') : null
  const hasEnd = ['dtend', 'duration'].some((name) => component.getFirstProperty(name))
  const ends = starts && hasEnd ? momentOf(event.endDate, component, 'dtend') : null
  const organizer = component.getFirstProperty('organizer')
  const address = textOf(component, 'organizer').replace(/^mailto:/i, '')
  const name = String(organizer?.getParameter('cn') ?? '')
  const method = calendar.getFirstPropertyValue('method')
  return {
    method: typeof method === 'string' ? cleanLine(method, 50).toLowerCase() : null,
    summary: line('summary') ?? '',
    starts: starts?.text ?? null,
    ends: ends?.text ?? null,
    is_all_day: starts?.kind === 'day',
    when: starts && whenOf(starts, ends, timeZone),
    location: line('location'),
    organizer: cleanLine(name && address ? `${name} <${address}>` : name || address, maxLineCharacters) || null,
    description:
      cleanText(textOf(component, 'description')).trim().slice(0, maxDescriptionCharacters).toWellFormed() || null,
    repeats: event.isRecurring(),
  }
}

function textOf(component: ICAL.Component, name: string): string {
  const value = component.getFirstPropertyValue(name)
  return typeof value === 'string' ? value : ''
}

interface Moment {
  /** `local`: of a clock on the wall, nobody says where. */
  readonly kind: 'day' | 'instant' | 'local'
  readonly date: Date
  readonly text: string
}

function momentOf(time: ICAL.Time, component: ICAL.Component, name: string): Moment {
  const wall = new Date(Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second))
  if (time.isDate) return { kind: 'day', date: wall, text: wall.toISOString().slice(0, 10) }
  const { tzid = 'floating' } = time.zone ?? {}
  const named = (component.getFirstProperty(name) ?? component.getFirstProperty('dtstart'))?.getParameter('tzid')
  const instant = tzid === 'floating' ? instantOf(wall, typeof named === 'string' ? named : undefined) : time.toJSDate()
  return instant
    ? { kind: 'instant', date: instant, text: instant.toISOString() }
    : { kind: 'local', date: wall, text: wall.toISOString().slice(0, 19) }
}

/** The moment at which a clock on the wall shows a time; undefined for a zone that nobody knows. */
function instantOf(wall: Date, zone: string | undefined): Date | undefined {
  if (zone === undefined) return undefined
  try {
    const offset = (at: Date): number =>
      Date.parse(`${at.toLocaleString('sv-SE', { timeZone: zone }).replace(' ', 'T')}Z`) -
      Math.floor(at.getTime() / 1000) * 1000
    const guess = new Date(wall.getTime() - offset(wall))
    return new Date(wall.getTime() - offset(guess))
  } catch {
    return undefined
  }
}

/** A meeting of one day: `Tuesday, 1 December 2026, 10:00 to 11:00 (Europe/Berlin)`. */
function whenOf(starts: Moment, ends: Moment | null, timeZone: string): string {
  const zone = starts.kind === 'instant' ? timeZone : 'UTC'
  const day = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: zone } as const
  const dayOf = ({ date }: Moment): string => date.toLocaleDateString('en-GB', day)
  const timeOf = ({ date }: Moment): string =>
    date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone })
  if (starts.kind === 'day') {
    // The day after it ends (RFC 5545 §3.6.1).
    const last = ends && { ...ends, date: new Date(ends.date.getTime() - 1) }
    return last && dayOf(last) !== dayOf(starts) ? `${dayOf(starts)} to ${dayOf(last)}` : dayOf(starts)
  }
  const inZone = starts.kind === 'instant' ? ` (${timeZone})` : ''
  if (!ends) return `${dayOf(starts)}, ${timeOf(starts)}${inZone}`
  const end = dayOf(ends) === dayOf(starts) ? timeOf(ends) : `${dayOf(ends)}, ${timeOf(ends)}`
  return `${dayOf(starts)}, ${timeOf(starts)} to ${end}${inZone}`
}

const headings: Readonly<Record<string, string>> = {
  cancel: 'Cancelled',
  reply: 'Answer to an invitation',
  counter: 'Another time is proposed',
}

/** An invitation as a text, for a mail that says nothing else. */
export function invitationText({
  method,
  summary,
  when,
  location,
  organizer,
  description,
  repeats,
}: Invitation): string {
  const lines = [
    `${own(headings, method ?? '') ?? 'Invitation'}: ${summary}`,
    when && `When: ${when}${repeats ? ', and again' : ''}`,
    location && `Where: ${location}`,
    organizer && `Organizer: ${organizer}`,
    description && `\n${description}`,
  ]
  return lines.filter(Boolean).join('\n')
}
