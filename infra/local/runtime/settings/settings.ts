/** The settings of `npm start`, read from the environment, and the template parameters they set. */

import { resolve } from 'node:path'
import { nearestWord } from '../../../../shared/kernel/text/did-you-mean.ts'
import { mailVariables } from '../../../catalogue/deployed-function.ts'
import { pascalCase } from '../../../pascal-case.ts'

export interface Settings {
  readonly port: number
  /** An absolute path; `:memory:` keeps nothing. */
  readonly dataDirectory: string
  readonly seed: 'demo' | 'none'
  /** `aws`: as slow, unordered and repeating as AWS. */
  readonly timing: 'fast' | 'aws'
  /** How many instances each function has. */
  readonly instances: number
  /** Repeats what `aws` chooses at random. */
  readonly randomSeed: number | undefined
  readonly adminEmail: string
  readonly adminPassword: string | undefined
  /** Values of the template's parameters, for the settings that are given. */
  readonly parameters: Readonly<Record<string, string>>
}

/** An invalid setting, with a one-line message that says what is allowed. */
export class BadSetting extends Error {
  override readonly name = 'BadSetting'
}

/** Each instance of a function holds its code and caches in the memory of this process. */
const maxInstances = 20

type Variables = Readonly<Record<string, string | undefined>>

export function readSettings(variables: Variables): Settings {
  // An empty variable counts as unset, as in a deployment.
  const set = (name: string): string | undefined => variables[name] || undefined
  const parameters: Record<string, string | undefined> = {
    AppMode: oneOf('APP_MODE', set('APP_MODE'), ['single', 'saas']),
    // On one machine registration is open by default, to try it.
    Registration: oneOf('REGISTRATION', set('REGISTRATION'), ['open', 'closed']) ?? 'open',
    EmailVerification: oneOf('EMAIL_VERIFICATION', set('EMAIL_VERIFICATION'), ['required', 'off']),
    // The default of WARN keeps one line per request out of the terminal.
    LogLevel: oneOf('LOG_LEVEL', set('LOG_LEVEL')?.toUpperCase(), ['DEBUG', 'INFO', 'WARN', 'ERROR']) ?? 'WARN',
    MessengerDirect: oneOf('MESSENGER_DIRECT', set('MESSENGER_DIRECT'), ['true', 'false']),
    PublicUrl: address('PUBLIC_URL', set('PUBLIC_URL')),
    AppUrl: address('APP_URL', set('APP_URL')),
    CorsOrigins: origins(set('CORS_ORIGINS')),
    SsoIssuer: issuer(set('SSO_ISSUER')),
    SsoAudience: set('SSO_AUDIENCE'),
    SsoJwksUrl: address('SSO_JWKS_URL', set('SSO_JWKS_URL')),
    SsoGroupsClaim: set('SSO_GROUPS_CLAIM'),
    SsoDomains: domains('SSO_DOMAINS', set('SSO_DOMAINS')),
    SesDomains: domains('SES_DOMAINS', set('SES_DOMAINS')),
    StreamOwners: domains('STREAM_OWNERS', set('STREAM_OWNERS')),
    EventBusOwners: domains('EVENT_BUS_OWNERS', set('EVENT_BUS_OWNERS')),
    SmsTenants: set('SMS_TENANTS'),
    // On one machine there is nobody to protect from the only company.
    TenantRequestsPerSecond: wholeNumber('TENANT_REQUESTS_PER_SECOND', set('TENANT_REQUESTS_PER_SECOND') ?? '0'),
    TrustedProxies: set('TRUSTED_PROXIES'),
    ...ofDeployments('MAIL_PASSWORD_SECRET', set('MAIL_PASSWORD_SECRET'), 'use MAIL_PASSWORD'),
    ...Object.fromEntries(mailVariables.map((name) => [pascalCase(name.toLowerCase()), set(name)])),
  }
  return {
    port: port(set('PORT') ?? '3000'),
    dataDirectory: set('DATA_DIR') === ':memory:' ? ':memory:' : resolve(set('DATA_DIR') ?? '.local'),
    seed: oneOf('SEED', set('SEED'), ['demo', 'none'] as const) ?? 'demo',
    timing: oneOf('LOCAL_TIMING', set('LOCAL_TIMING'), ['fast', 'aws'] as const) ?? 'fast',
    instances: whole('LOCAL_INSTANCES', set('LOCAL_INSTANCES'), 1, maxInstances) ?? 1,
    randomSeed: whole('LOCAL_SEED', set('LOCAL_SEED'), 0, 2 ** 31 - 1),
    adminEmail: email(set('ADMIN_EMAIL') ?? 'admin@example.com'),
    adminPassword: set('ADMIN_PASSWORD'),
    parameters: Object.fromEntries(
      Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
  }
}

function wholeNumber(name: string, value: string): string {
  if (/^\d{1,6}$/.test(value)) return value
  throw new BadSetting(`${name} is a number from 0 to 999999, not "${value}".`)
}

/** What only AWS has is refused, not ignored. */
function ofDeployments(name: string, value: string | undefined, instead: string): Record<string, never> {
  if (value === undefined) return {}
  throw new BadSetting(`${name} is for deployments on AWS: here, ${instead}.`)
}

function port(value: string): number {
  const number = Number(value)
  if (/^\d+$/.test(value) && number <= 65_535) return number
  throw new BadSetting(`PORT is a number from 0 to 65535, not "${value}".`)
}

function whole(name: string, value: string | undefined, least: number, most: number): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= least && number <= most) return number
  throw new BadSetting(`${name} is a whole number from ${least} to ${most}, not "${value}".`)
}

function oneOf<const T extends string>(name: string, value: string | undefined, allowed: readonly T[]): T | undefined {
  if (value === undefined || allowed.includes(value as T)) return value as T | undefined
  const nearest = nearestWord(value.toLowerCase(), allowed) ?? nearestWord(value.toUpperCase(), allowed)
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  throw new BadSetting(`${name} is one of ${allowed.join(', ')}, not "${value}".${hint}`)
}

function address(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const url = URL.parse(value)
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash) return value.replace(/\/+$/, '')
  throw new BadSetting(`${name} is an http or https address without query, not "${value}".`)
}

/** Kept as given: tokens name it exactly so, with or without a slash at the end. */
const issuer = (value: string | undefined): string | undefined => address('SSO_ISSUER', value) && value

function domains(name: string, value: string | undefined): string | undefined {
  if (value === undefined || /^[^\s,=]+=[a-z][a-z0-9-]+(,[^\s,=]+=[a-z][a-z0-9-]+)*$/.test(value)) return value
  throw new BadSetting(`${name} is a list like acme.com=acme,acme.org=acme, not "${value}".`)
}

function origins(value: string | undefined): string | undefined {
  const given = value?.split(',').map((origin) => origin.trim())
  const bad = given?.find((origin) => origin !== '*' && URL.parse(origin)?.origin !== origin)
  if (bad === undefined) return given?.join(',')
  throw new BadSetting(
    `CORS_ORIGINS is a list of origins like https://app.example.com, separated by commas; "${bad}" is none.`,
  )
}

function email(value: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(value)) return value
  throw new BadSetting(`ADMIN_EMAIL is an e-mail address, not "${value}".`)
}
