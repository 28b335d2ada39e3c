import { codePattern } from '../schema.ts'

/** A name as a code: `Approve a request` becomes `approve-a-request`; undefined when nothing of it can stand in one. */
export function codeOf(name: string): string | undefined {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const code = plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 63)
    .replace(/-+$/, '')
  return codePattern.test(code) ? code : undefined
}
