/** CORS of an HTTP API: the gateway answers preflights and adds headers to every response. */

export interface Cors {
  /** Response headers of a preflight from this origin; none if it is not allowed. */
  preflight(origin: string): Record<string, string>
  /** Headers of any other response to this origin. */
  headers(origin: string): Record<string, string>
}

interface CorsConfiguration {
  readonly AllowOrigins?: readonly string[]
  readonly AllowMethods?: readonly string[]
  readonly AllowHeaders?: readonly string[]
  readonly ExposeHeaders?: readonly string[]
  readonly AllowCredentials?: boolean | string
  readonly MaxAge?: number | string
}

/** Undefined when no origin is allowed; a preflight is then an ordinary request. */
export function readCors(configuration: CorsConfiguration | undefined): Cors | undefined {
  const origins = configuration?.AllowOrigins ?? []
  if (!configuration || origins.length === 0) return undefined
  const isAllowed = (origin: string): boolean =>
    origins.some(
      (allowed) =>
        allowed === '*' || allowed === origin || (allowed.endsWith('://*') && origin.startsWith(allowed.slice(0, -1))),
    )
  const withCredentials = String(configuration.AllowCredentials ?? false) === 'true'

  function common(origin: string): Record<string, string> {
    const anyone = origins.includes('*') && !withCredentials
    return {
      'access-control-allow-origin': anyone ? '*' : origin,
      ...(!anyone && { vary: 'Origin' }),
      ...(withCredentials && { 'access-control-allow-credentials': 'true' }),
    }
  }

  const list = (name: string, values: readonly string[] | undefined): Record<string, string> =>
    values?.length ? { [name]: values.join(',') } : {}

  return {
    preflight(origin) {
      if (!isAllowed(origin)) return {}
      return {
        ...common(origin),
        ...list('access-control-allow-methods', configuration.AllowMethods),
        ...list('access-control-allow-headers', configuration.AllowHeaders),
        ...(configuration.MaxAge !== undefined && { 'access-control-max-age': String(configuration.MaxAge) }),
      }
    },
    headers: (origin) =>
      isAllowed(origin)
        ? { ...common(origin), ...list('access-control-expose-headers', configuration.ExposeHeaders) }
        : {},
  }
}
