import { domainToASCII } from 'node:url'

const maxAddressCharacters = 320

/**
 * An address in lower case with the ASCII form of its domain, without a source route (RFC 5321 §4.1.1.3) and the dot of the
 * root domain; null when it is none. Whether mail reaches it is another matter.
 */
export function normalAddress(address: string): string | null {
  const text = address
    .trim()
    .toLowerCase()
    .replace(/^@[^:\s]{1,1000}:/, '')
    .replace(/\.$/, '')
  const at = text.lastIndexOf('@')
  if (at < 1 || text.length > maxAddressCharacters || /[\s\p{Cc}\p{Cf}<>,;"]/u.test(text)) return null
  const domain = text.slice(at + 1)
  const ascii = /^[ -~]+$/.test(domain) ? domain : domainToASCII(domain)
  return ascii === '' || text.slice(0, at).includes('@') ? null : `${text.slice(0, at)}@${ascii}`
}
