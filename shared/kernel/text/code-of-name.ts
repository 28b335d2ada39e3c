/** Makes a code of a name: `approve-a-request` of `Approve a request`; undefined when no letter of it can be used. */
export function codeOfName(name: string): string | undefined {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const code = plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 63)
    .replace(/-+$/, '')
  return code === '' ? undefined : code
}
