type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null

/** The member at a path such as `auth.token`; undefined when there is none. */
export const memberAt = (config: Members, path: string): unknown =>
  path.split('.').reduce<unknown>((inside, name) => (isMembers(inside) ? inside[name] : undefined), config)

/** A copy with the member at a path set, or removed when the value is undefined. */
export function withMember(config: Members, path: string, value: unknown): Members {
  const [name = '', ...rest] = path.split('.')
  const inside = config[name]
  if (rest.length > 0)
    return isMembers(inside) ? { ...config, [name]: withMember(inside, rest.join('.'), value) } : config
  const { [name]: _, ...others } = config
  return value === undefined ? others : { ...others, [name]: value }
}
