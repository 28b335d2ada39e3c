import * as z from 'zod'

/**
 * The settings of a function, all with a default or optional, parsed once and trusted after. What a function cannot work
 * without it reads with `requireEnvironment`. CloudFormation passes an empty string for a parameter that was left out, so
 * empty means unset everywhere.
 */
const unset = (value: unknown): unknown => (value === '' ? undefined : value)
const optionalUrl = z.preprocess(unset, z.string().url().optional())

const Environment = z.object({
  APP_MODE: z.preprocess(unset, z.enum(['single', 'saas']).default('single')),
  REGISTRATION: z.preprocess(unset, z.enum(['open', 'closed']).optional()),
  PUBLIC_URL: optionalUrl,
  APP_URL: optionalUrl,
  /** How long an import or export works for its caller before it goes on as a job. */
  ANSWER_WITHIN_MS: z.preprocess(unset, z.coerce.number().int().min(0).default(20_000)),
  /** How long after a change of configuration a write may still follow the one before: as long as a request may last. */
  SETTLE_MS: z.preprocess(unset, z.coerce.number().int().min(0).default(30_000)),
  /** How long nobody else works on a process instance after a step of it began to write. */
  PROCESS_LEASE_MS: z.preprocess(unset, z.coerce.number().int().min(1).default(20_000)),
  /** How old a change is before the nightly repair misses what should have followed from it. */
  REPAIR_AFTER_MS: z.preprocess(
    unset,
    z.coerce
      .number()
      .int()
      .min(0)
      .default(15 * 60_000),
  ),
  SERVICE_VERSION: z.preprocess(unset, z.string().default('0.0.0')),
})
export type Environment = z.output<typeof Environment>

let parsed: Environment | undefined

/** The settings of this function. Throws naming the variable when one is malformed. */
export function environment(): Environment {
  parsed ??= Environment.parse(process.env)
  return parsed
}

/** `REGISTRATION` is open in saas mode unless set otherwise, and closed in single mode unless opened. */
export function registrationIsOpen(env: Environment = environment()): boolean {
  return (env.REGISTRATION ?? (env.APP_MODE === 'saas' ? 'open' : 'closed')) === 'open'
}
