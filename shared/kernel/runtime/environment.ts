import * as z from 'zod'

/** CloudFormation passes an empty string for a parameter without a value, so an empty variable counts as unset. */
const unset = (value: unknown): unknown => (value === '' ? undefined : value)
const optionalText = z.preprocess(unset, z.string().optional())
const optionalPort = z.preprocess(unset, z.coerce.number().int().min(1).max(65_535).optional())
const optionalUrl = z.preprocess(unset, z.string().url().optional())

/** Slugs of tenants by the name of what is theirs. */
const ownersOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(',').map((pair) => {
      const [name = '', slug = ''] = pair.split('=', 2)
      return [name.trim(), slug.trim()]
    }),
  )
/** Slugs of tenants by domain. */
const domainsOf = (text: string): ReadonlyMap<string, string> => ownersOf(text.toLowerCase())

/** The optional settings of a function. Required variables are read with `requireEnvironment`. */
const Environment = z.object({
  APP_MODE: z.preprocess(unset, z.enum(['single', 'saas']).default('single')),
  REGISTRATION: z.preprocess(unset, z.enum(['open', 'closed']).optional()),
  EMAIL_VERIFICATION: z.preprocess(unset, z.enum(['required', 'off']).optional()),
  PUBLIC_URL: optionalUrl,
  APP_URL: optionalUrl,
  /** How long an import or export may keep its caller waiting before it continues as a job. */
  ANSWER_WITHIN_MS: z.preprocess(unset, z.coerce.number().int().min(0).default(20_000)),
  /**
   * How long after a change of configuration a write may still use the previous one: the longest time a request may
   * run.
   */
  SETTLE_MS: z.preprocess(unset, z.coerce.number().int().min(0).default(30_000)),
  /** How long a step holds the lease of its process instance. */
  PROCESS_LEASE_MS: z.preprocess(unset, z.coerce.number().int().min(1).default(20_000)),
  /** The age from which the nightly repair checks a change for work that a fault left undone. */
  REPAIR_AFTER_MS: z.preprocess(
    unset,
    z.coerce
      .number()
      .int()
      .min(0)
      .default(15 * 60_000),
  ),
  /** How much memory of a function the columns of tables may take. */
  COLUMN_MEMORY_MB: z.preprocess(unset, z.coerce.number().int().min(1).default(48)),
  /** Whether hosts that tenants name may be on this machine. The local cloud allows it; a deployment never does. */
  LOOPBACK_TARGETS: z.preprocess(unset, z.enum(['allowed', 'refused']).default('refused')),
  /** The mail server and the mailboxes of the embedded cloud, on 127.0.0.1; a deployment has none. */
  LOCAL_MAIL_PORT: optionalPort,
  LOCAL_MAILBOX_PORT: optionalPort,
  /** As whom a tenant without mail settings sends through that server; unset: it does not. */
  LOCAL_MAIL_FROM: optionalText,
  /** The server of the Bot API for channels that name none: the local cloud has one of its own. */
  MESSENGER_API_BASE: optionalUrl,
  /** Where the messenger sends to: the API, or the address of the function `inbound`. */
  MESSENGER_URL: optionalUrl,
  /** The identity provider of the deployment, beside those of tenants. */
  SSO_ISSUER: optionalUrl,
  SSO_AUDIENCE: optionalText,
  SSO_JWKS_URL: optionalUrl,
  SSO_GROUPS_CLAIM: optionalText,
  /** Which tenant a domain belongs to: `acme.com=acme,acme.org=acme`, with slugs of tenants. */
  SSO_DOMAINS: z.preprocess(unset, z.string().transform(domainsOf).optional()),
  /** The mail server of tenants that have none of their own. */
  MAIL_HOST: optionalText,
  MAIL_PORT: optionalText,
  MAIL_USERNAME: optionalText,
  MAIL_PASSWORD: optionalText,
  /** The ARN of the secret that holds it, in place of the password itself. */
  MAIL_PASSWORD_SECRET: optionalText,
  MAIL_ENCRYPTION: optionalText,
  MAIL_FROM_ADDRESS: optionalText,
  MAIL_FROM_NAME: optionalText,
  /** Which tenant may send from a domain through the SES of the deployment: `acme.com=acme`, with slugs of tenants. */
  SES_DOMAINS: z.preprocess(unset, z.string().transform(domainsOf).optional()),
  /** The configuration set of the deployment, with which SES counts bounces and complaints. */
  SES_CONFIGURATION_SET: optionalText,
  /** Whose streams and event buses of the account are: `orders=acme`, with slugs of tenants. */
  STREAM_OWNERS: z.preprocess(unset, z.string().transform(ownersOf).optional()),
  EVENT_BUS_OWNERS: z.preprocess(unset, z.string().transform(ownersOf).optional()),
  /** Slugs of the tenants that send SMS through SNS. */
  SMS_TENANTS: z.preprocess(
    unset,
    z
      .string()
      .transform((text) => new Set(text.split(',').map((slug) => slug.trim())))
      .optional(),
  ),
  /** How many requests a second one company may send on average over ten seconds; 0: no limit. */
  TENANT_REQUESTS_PER_SECOND: z.preprocess(unset, z.coerce.number().int().min(0).default(0)),
  /** How many read units a second the removal of a tenant may take from the table. */
  PURGE_READ_UNITS: z.preprocess(unset, z.coerce.number().int().min(10).default(200)),
  /** Addresses and networks of proxies that stand before the API, separated by commas. */
  TRUSTED_PROXIES: z.preprocess(unset, z.string().default('')),
  SERVICE_VERSION: z.preprocess(unset, z.string().default('0.0.0')),
})
export type Environment = z.output<typeof Environment>

let parsed: Environment | undefined

/** The settings of this function, parsed once. Throws an error that names the variable when one is malformed. */
export function environment(): Environment {
  parsed ??= Environment.parse(process.env)
  return parsed
}

/** Whether people may register. Without `REGISTRATION` they may in saas mode, and not in single mode. */
export function registrationIsOpen(env: Environment = environment()): boolean {
  return (env.REGISTRATION ?? (env.APP_MODE === 'saas' ? 'open' : 'closed')) === 'open'
}

/**
 * Whether a tenant may use a resource of the operator's cloud account, which all tenants share: a stream, an event bus, a
 * domain of mails, text messages. The operator says whose each is; as long as nothing is said, everything is the tenant's
 * in single mode, and nobody's in saas mode.
 */
export const mayUseResource = (
  mode: ReturnType<typeof environment>['APP_MODE'],
  owners: ReadonlyMap<string, string> | undefined,
  name: string,
  slug: string,
): boolean => (owners || mode === 'saas' ? owners?.get(name) === slug : true)
