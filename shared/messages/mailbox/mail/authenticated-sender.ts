import type { ParsedMail } from './parts/parsed-mail.ts'

/**
 * The address that the receiving mail server has proved to be the sender's: the topmost `Authentication-Results` header is
 * its own, and says that DMARC passed for the domain of the only `From` address (RFC 8601, RFC 7489). Undefined for every
 * other mail: anybody can write a `From`, and headers of other servers.
 */
export function authenticatedSender(
  { from, headers }: Pick<ParsedMail, 'from' | 'headers'>,
  authservId: string | undefined,
): string | undefined {
  const results = [headers['authentication-results'] ?? []].flat()[0]
  if (authservId === undefined || results === undefined || !from?.email) return undefined
  const { from: header } = headers
  if (typeof header !== 'string' || withoutQuotes(header).includes(',')) return undefined
  const [server = '', ...methods] = withoutQuotes(results).split(';')
  // A version may follow the name.
  if (server.trim().split(/\s+/)[0]?.toLowerCase() !== authservId.toLowerCase()) return undefined
  const domain = from.email.slice(from.email.lastIndexOf('@') + 1)
  return methods.some((method) => isPassOf(method, domain)) ? from.email : undefined
}

function isPassOf(method: string, domain: string): boolean {
  const [result = '', ...properties] = method.trim().toLowerCase().split(/\s+/)
  return /^dmarc(?:\/1)?=pass$/.test(result) && properties.includes(`header.from=${domain}`)
}

/** A header without its comments and quoted texts, in which its sender can write anything. */
function withoutQuotes(value: string): string {
  let kept = ''
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < value.length; at += 1) {
    const character = value.charAt(at)
    if (character === '\\' && (isQuoted || depth > 0)) at += 1
    else if (isQuoted) isQuoted = character !== '"'
    else if (character === '(') depth += 1
    else if (character === ')' && depth > 0) depth -= 1
    else if (depth > 0) continue
    else if (character === '"') {
      isQuoted = true
      kept += '""'
    } else kept += character
  }
  return kept
}
