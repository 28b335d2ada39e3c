import { mask } from '../../../platform/secrets/mask.ts'

const secretName = /secret|passw|token|credential|private|api_?key|hash|seal/i

/** A value of a setting with every secret in it masked: a secret is known by its name, at any depth. */
export function withoutSecrets(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return value ?? null
  if (secretName.test(name)) return mask
  if (Array.isArray(value)) return value.map((member) => withoutSecrets(name, member))
  if (typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, withoutSecrets(member, inner)]))
}
