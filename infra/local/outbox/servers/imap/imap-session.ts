import { type Command, stringsOf } from './command-reader.ts'
import type { KeptMail, Mailboxes } from './mailboxes.ts'

/** What a session answers: lines before the last one, which carries the tag. */
interface Answer {
  readonly lines: readonly (string | Buffer)[]
  readonly end: string
  readonly closes?: true
}

const capabilities = 'IMAP4rev1'
export const greeting = `* OK [CAPABILITY ${capabilities}] The mailboxes of the local cloud\r\n`
/** Mails keep their UIDs for the life of a data directory. */
const uidValidity = 1

/**
 * One connection to a mailbox (RFC 3501): as much as a client needs that reads new mails and changes nothing. The name is
 * the address of the mailbox, any password is right.
 */
export function imapSession(mailboxes: Pick<Mailboxes, 'list'>): (command: Command) => Promise<Buffer> {
  let address: string | undefined
  let selected: readonly KeptMail[] | undefined

  async function answer({ name, rest }: Command): Promise<Answer> {
    switch (name) {
      case 'CAPABILITY':
        return ok([`* CAPABILITY ${capabilities}`])
      case 'NOOP':
        return ok()
      case 'LOGOUT':
        return { lines: ['* BYE Until next time'], end: 'OK', closes: true }
      case 'LOGIN':
        address = stringsOf(rest)[0]
        return address === undefined ? bad('LOGIN needs a name and a password') : ok()
    }
    if (address === undefined) return no('Log in first')
    switch (name) {
      case 'LIST':
      case 'LSUB':
        return ok([stringsOf(rest)[1] === '' ? `* ${name} (\\Noselect) "/" ""` : `* ${name} () "/" INBOX`])
      case 'STATUS':
        return status(await mailboxes.list(address))
      case 'SELECT':
      case 'EXAMINE':
        if (stringsOf(rest)[0]?.toUpperCase() !== 'INBOX') return no('[NONEXISTENT] The only folder is INBOX')
        return opened((selected = await mailboxes.list(address)))
      case 'CLOSE':
        selected = undefined
        return ok()
    }
    if (!selected) return no('Select a folder first')
    if (name === 'UID SEARCH')
      return ok([
        `* SEARCH${found(selected, rest)
          .map((uid) => ` ${uid}`)
          .join('')}`,
      ])
    if (name === 'UID FETCH') return ok(fetched(selected, rest))
    return bad(`${name} is unknown here`)
  }

  return async (command) => {
    const { lines, end } = await answer(command)
    return Buffer.concat(
      [...lines, `${command.tag} ${end} ${command.name}`].flatMap((line) => [Buffer.from(line), Buffer.from('\r\n')]),
    )
  }
}

const ok = (lines: readonly (string | Buffer)[] = []): Answer => ({ lines, end: 'OK' })
const no = (why: string): Answer => ({ lines: [], end: `NO ${why}:` })
const bad = (why: string): Answer => ({ lines: [], end: `BAD ${why}:` })

const nextUid = (mails: readonly KeptMail[]): number => (mails.at(-1)?.uid ?? 0) + 1

const opened = (mails: readonly KeptMail[]): Answer => ({
  lines: [
    '* FLAGS (\\Seen)',
    `* ${mails.length} EXISTS`,
    '* 0 RECENT',
    `* OK [UIDVALIDITY ${uidValidity}] UIDs valid`,
    `* OK [UIDNEXT ${nextUid(mails)}] Predicted next UID`,
  ],
  end: 'OK [READ-ONLY]',
})

const status = (mails: readonly KeptMail[]): Answer =>
  ok([`* STATUS INBOX (MESSAGES ${mails.length} UIDNEXT ${nextUid(mails)} UIDVALIDITY ${uidValidity})`])

/** The UIDs of a search by `UID <set>` and `SINCE <date>`. */
function found(mails: readonly KeptMail[], criteria: string): number[] {
  const [, set = '1:*'] = /\bUID (\S+)/i.exec(criteria) ?? []
  const [, since] = /\bSINCE "?(\d{1,2}-\w{3}-\d{4})/i.exec(criteria) ?? []
  const sinceMs = since === undefined ? 0 : Date.parse(`${since} UTC`)
  return inSet(mails, set)
    .filter(({ atMs }) => atMs >= sinceMs)
    .map(({ uid }) => uid)
}

/** The mails of a set such as `3`, `1:4` or `7:*`, which holds the last mail whatever 7 is. */
function inSet(mails: readonly KeptMail[], set: string): readonly KeptMail[] {
  const last = mails.at(-1)?.uid ?? 0
  const ranges = set.split(',').map((range) => {
    const [from = 0, to = from] = range.split(':').map((end) => (end === '*' ? last : Number(end)))
    return [Math.min(from, to), Math.max(from, to)] as const
  })
  return mails.filter(({ uid }) => ranges.some(([from, to]) => uid >= from && uid <= to))
}

function fetched(mails: readonly KeptMail[], rest: string): readonly Buffer[] {
  const [set = ''] = stringsOf(rest)
  return inSet(mails, set).map((mail) => {
    const parts: Buffer[] = [Buffer.from(`* ${mails.indexOf(mail) + 1} FETCH (UID ${mail.uid} FLAGS ()`)]
    if (/RFC822\.SIZE/i.test(rest)) parts.push(Buffer.from(` RFC822.SIZE ${mail.source.length}`))
    if (/INTERNALDATE/i.test(rest)) parts.push(Buffer.from(` INTERNALDATE "${internalDate(mail.atMs)}"`))
    for (const [, section = '', start, length] of rest.matchAll(/BODY(?:\.PEEK)?\[([\w.]*)\](?:<(\d+)\.(\d+)>)?/gi))
      parts.push(...body(mail, section.toUpperCase(), start, length))
    return Buffer.concat([...parts, Buffer.from(')')])
  })
}

function body({ source }: KeptMail, section: string, start: string | undefined, length: string | undefined): Buffer[] {
  const end = source.indexOf('\r\n\r\n')
  const whole = section === 'HEADER' && end !== -1 ? source.subarray(0, end + 4) : source
  const from = Number(start ?? 0)
  const part = start === undefined ? whole : whole.subarray(from, from + Number(length))
  const origin = start === undefined ? '' : `<${start}>`
  return [Buffer.from(` BODY[${section}]${origin} {${part.length}}\r\n`), part]
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `25-Nov-2026 08:00:00 +0000` */
function internalDate(atMs: number): string {
  const date = new Date(atMs)
  const [day, time] = [String(date.getUTCDate()).padStart(2, '0'), date.toISOString().slice(11, 19)]
  return `${day}-${months[date.getUTCMonth()]}-${date.getUTCFullYear()} ${time} +0000`
}
