import { ForbiddenHost } from '../../../kernel/addresses/public-address.ts'
import { oneLine } from '../../../platform/mail/mail-address.ts'
import type { MailboxSettings } from '../../mailboxes/mailbox-settings.ts'

/** Why a mailbox could not be opened or read, in words for an administrator. Never holds a secret. */
export class MailboxFailure extends Error {
  /** Whether the server refused the login: another access token may help. */
  readonly isLogin: boolean
  /** Whether the provider refused a token: somebody has to sign in again, or to change the client. */
  readonly isRefused: boolean

  constructor(
    reason: string,
    {
      isLogin = false,
      isRefused = false,
      ...options
    }: ErrorOptions & { readonly isLogin?: boolean; readonly isRefused?: boolean } = {},
  ) {
    super(reason, options)
    this.isLogin = isLogin
    this.isRefused = isRefused
  }
}

/** What imapflow and Node tell about a failure. */
interface Fault {
  readonly name: string
  readonly message: string
  readonly code: string
  readonly authenticationFailed: boolean
  readonly tlsFailed: boolean
  readonly mailboxMissing: boolean
  readonly responseStatus: string
  readonly serverResponseCode: string
  /** What the server said as it ended the connection. */
  readonly reason: string
}

const unresolved: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME'])
const unreachable: ReadonlySet<string> = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'EADDRNOTAVAIL'])
const silent: ReadonlySet<string> = new Set(['CONNECT_TIMEOUT', 'ETIMEDOUT', 'ETIMEOUT', 'UPGRADE_TIMEOUT'])
const closed: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'NoConnection',
  'EConnectionClosed',
  'ClosedAfterConnectTLS',
  'ClosedAfterConnectText',
])

/** Does some work with a mail server. Throws MailboxFailure when that fails, and any other error as it is. */
export async function explained<T>(settings: MailboxSettings, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw mailboxFailure(error, settings) ?? error
  }
}

/** Explains an error of a connection; undefined for an error that has nothing to do with the mail server. */
export function mailboxFailure(error: unknown, settings: MailboxSettings): MailboxFailure | undefined {
  if (error instanceof MailboxFailure) return error
  const { host, port, folder } = settings
  const server = `${host}, port ${port}`
  const failure = (reason: string, isLogin = false): MailboxFailure =>
    new MailboxFailure(reason, { cause: nameOf(error), isLogin })
  if (error instanceof ForbiddenHost) return failure(`The mail server ${host} is not on the public internet.`)
  if (!(error instanceof Error)) return undefined
  const fault = faultOf(error)
  const { code } = fault
  if (unresolved.has(code)) return failure(`The name of the mail server, ${host}, could not be resolved.`)
  if (code === 'ECONNREFUSED') return failure(`The mail server refused the connection: ${server}. Check host and port.`)
  if (unreachable.has(code)) return failure(`The mail server could not be reached: ${server}.`)
  if (code === 'GREETING_TIMEOUT')
    return failure(`The mail server sent no greeting: ${server}. Check port and encryption.`)
  if (silent.has(code) || fault.name === 'TimeoutError')
    return failure(`The mail server did not answer in time: ${server}.`)
  if (fault.authenticationFailed) return failure(loginProblem(fault, settings), true)
  if (isTls(fault)) return failure(tlsProblem(fault, settings))
  if (closed.has(code)) return failure(`The mail server ended the connection: ${server}.${said(fault, settings)}`)
  if (fault.mailboxMissing || fault.serverResponseCode === 'NONEXISTENT')
    return failure(`There is no folder ${folder} in this mailbox. Check ${nameOfMember(settings, 'folder')}.`)
  if (/Unsupported authentication mechanism/.test(fault.message))
    return failure(`The mail server does not offer this kind of login. Check ${nameOfMember(settings, 'auth')}.`)
  if (fault.responseStatus !== '')
    return failure(`The mail server answered ${fault.responseStatus}${codeOf(fault)} to a command.`)
  // Its other errors are about answers that no mail server gives.
  if (code !== '' && !/^ERR_(?!SSL|TLS)/.test(code))
    return failure(
      `The mail server answered something that could not be understood (${code}). Check port and encryption.`,
    )
  return undefined
}

const isTls = ({ code, tlsFailed, message }: Fault): boolean =>
  tlsFailed || /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|^ERR_(SSL|TLS)|^EPROTO$/.test(code) || /certificate/i.test(message)

/** What people set a member by. */
const nameOfMember = ({ named }: MailboxSettings, member: keyof typeof settingOf): string =>
  named ? `${named}.${member}` : settingOf[member]
const settingOf = { folder: 'IMAP_MAILBOX', encryption: 'IMAP_ENCRYPTION', auth: 'IMAP_AUTH' } as const

function tlsProblem({ code, message }: Fault, settings: MailboxSettings): string {
  const { host, encryption } = settings
  const setting = nameOfMember(settings, 'encryption')
  if (/does not support STARTTLS/.test(message))
    return `The mail server does not offer STARTTLS. Set ${setting} to ssl, with its port, usually 993.`
  if (code === 'CERT_HAS_EXPIRED') return `The certificate of the mail server has expired: ${host}.`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `The certificate of the mail server is not for the name ${host}.`
  if (/SELF_SIGNED/.test(code))
    return `The certificate of the mail server is self-signed, so it is not trusted: ${host}.`
  if (/CERT|UNABLE_TO_VERIFY|certificate/i.test(`${code} ${message}`))
    return `The certificate of the mail server is not trusted: ${host} (${code}).`
  const other = encryption === 'ssl' ? 'tls' : 'ssl'
  return `TLS with the mail server failed (${code || 'no TLS'}). Check the port, or set ${setting} to ${other}.`
}

/** Servers repeat the login that they refuse, so only the code of the answer is shown. */
function loginProblem(fault: Fault, settings: MailboxSettings): string {
  if (fault.serverResponseCode === 'UNAVAILABLE') return 'The mail server cannot check logins at the moment.'
  if (/disabled/i.test(fault.message))
    return `The mail server takes no password without encryption. Set ${nameOfMember(settings, 'encryption')}.`
  return `The mail server refused the login${codeOf(fault)}. Check username, password and whether IMAP is allowed for this account.`
}

const codeOf = ({ serverResponseCode }: Fault): string =>
  /^[A-Z][A-Z0-9-]{1,40}$/.test(serverResponseCode) ? ` (${serverResponseCode})` : ''

/** What the server said, without the login. */
function said({ reason }: Fault, { username, login }: MailboxSettings): string {
  if (reason === '') return ''
  const secrets = [username, ...(login.kind === 'password' ? [login.password] : [])]
  const shown = secrets.reduce((text, word) => text.replaceAll(word, '***'), oneLine(reason))
  return ` It said: ${shown.slice(0, 200).toWellFormed()}`
}

/** Causes end in logs: imapflow's errors hold commands and answers. */
const nameOf = (error: unknown): string =>
  error instanceof Error ? `${error.name} ${faultOf(error).code}`.trim() : 'unknown'

const faultOf = (error: Error): Fault => {
  const text = (name: string): string => {
    const value = (error as unknown as Record<string, unknown>)[name]
    return typeof value === 'string' ? value : ''
  }
  const flag = (name: string): boolean => (error as unknown as Record<string, unknown>)[name] === true
  return {
    name: error.name,
    message: error.message,
    code: text('code'),
    authenticationFailed: flag('authenticationFailed'),
    tlsFailed: flag('tlsFailed'),
    mailboxMissing: flag('mailboxMissing'),
    responseStatus: text('responseStatus'),
    serverResponseCode: text('serverResponseCode'),
    reason: text('reason'),
  }
}
