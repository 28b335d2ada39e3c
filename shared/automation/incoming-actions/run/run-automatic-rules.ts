import { Fault, Invalid } from '../../../kernel/failures/faults.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { Throttled } from '../../../kernel/throttling/throttled.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { findMessageHead } from '../../../messages/incoming-messages/find-message.ts'
import type { IncomingMessage, RuleOutcome } from '../../../messages/incoming-messages/message.ts'
import { changeMessage, noteOutcome } from '../../../messages/incoming-messages/receive/save-message.ts'
import { ConditionFailed } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { type IncomingAction, rulesOf } from '../incoming-action.ts'
import { matchingRules } from '../match/matching-rules.ts'
import { actingUser } from './acting-user.ts'
import type { RuleDependencies } from './dependencies.ts'
import { noteInternally } from './note-internally.ts'
import { failureOf, recordOutcome } from './record-outcome.ts'
import { reopenAnswered } from './reopen-answered.ts'
import { repliedRecord } from './replied-record.ts'
import { ruleOfMailbox } from './rule-of-mailbox.ts'
import { runRule } from './run-rule.ts'

/** How automatic rules are run. */
export interface RunOptions {
  readonly remainingMs: () => number
  /** No rule begins with less time left. */
  readonly leastMs: number
  /** Runs rules again that failed; else rules that have an outcome are left alone. */
  readonly repeatsFailed?: boolean
  /** Notes a defect of the service as a failure of the rule; else throws it, for another attempt. */
  readonly notesDefects?: boolean
}

/**
 * Runs the automatic rules for a message, in order, each on its own: what one of them does is noted on the message, and
 * so is why one fails. Where none matches, the mailbox of a mail may make its record. Answers false when the time did not
 * suffice for all; the message stays pending then.
 */
export async function runAutomaticRules(
  rules: RuleDependencies,
  tenant: Tenant,
  message: IncomingMessage,
  options: RunOptions,
): Promise<boolean> {
  const { config, clock } = rules
  if (message.isInternal) await noteInternally(rules, tenant, message)
  const all = await rulesOf(config, tenant)
  const variables = { nowMs: clock.now(), timeZone: all.length === 0 ? 'UTC' : await rules.timeZone(tenant) }
  const isDone = ({ id }: Pick<IncomingAction, 'id'>): boolean =>
    message.outcomes.some(({ actionId, kind }) => actionId === id && (kind !== 'failed' || !options.repeatsFailed))
  const { matching, untested } = await matchingRules(
    all.filter((one) => !isDone(one)),
    message,
    variables,
  )
  for (const rule of matching) {
    if (options.remainingMs() < options.leastMs) return false
    await runOrNote(rules, tenant, message, rule, options)
  }
  for (const rule of untested) await noteFailure(rules, tenant, message, rule, notTested)
  if (matching.length + untested.length === 0) {
    const ofMailbox = await ruleOfMailbox(rules, tenant, message, isDone)
    if (ofMailbox && options.remainingMs() < options.leastMs) return false
    if (ofMailbox) await runOrNote(rules, tenant, message, ofMailbox.rule, options, ofMailbox.overriding)
  }
  await stopWaiting(rules, tenant, message.id)
  return true
}

const notTested = new Invalid(
  {},
  {
    code: 'rule_failed',
    message: 'Its condition was not tested: those of the rules before it took too long. Make conditions simpler.',
  },
)

async function runOrNote(
  rules: RuleDependencies,
  tenant: Tenant,
  message: IncomingMessage,
  rule: IncomingAction,
  { notesDefects = false }: RunOptions,
  overriding?: Readonly<Record<string, unknown>>,
): Promise<void> {
  try {
    const actor = await actingUser(rules.store, tenant, message, rule)
    const replied = await repliedRecord(rules, tenant, message, rule)
    const answered = await reopenAnswered(rules, actor, rule, { message, replied })
    await runRule(rules, actor, answered.message, rule, answered.replied, { ...(overriding && { overriding }) })
  } catch (error) {
    if (!(error instanceof Fault)) {
      // A busy provider is no fault of the rule: the message waits for it.
      if (!notesDefects || error instanceof Throttled) throw error
      log.error('a rule for incoming messages could not be run', error, { rule: rule.id, message: message.id })
    }
    await noteFailure(rules, tenant, message, rule, error)
  }
}

async function noteFailure(
  rules: RuleDependencies,
  tenant: Tenant,
  message: IncomingMessage,
  rule: IncomingAction,
  error: unknown,
): Promise<void> {
  const reason =
    error instanceof Fault
      ? failureOf(error)
      : { message: 'The service could not run the rule. Reprocess the message.' }
  await recordOutcome(rules, tenant, message.id, rule.id, async (head) => {
    const failed: RuleOutcome = {
      actionId: rule.id,
      action: rule.name,
      kind: 'failed',
      ...reason,
      at: isoTime(rules.clock.now()),
    }
    await rules.store.transact(tenant, noteOutcome(tenant, head, failed), rules.clock.uuid())
    return failed
  })
}

/** Its rules have run: the message waits no longer. */
async function stopWaiting(
  { store, clock }: Pick<RuleDependencies, 'store' | 'clock'>,
  tenant: Tenant,
  id: number,
): Promise<void> {
  await retryWithJitter(clock, async (again) => {
    const head = await findMessageHead(store, tenant, id)
    if (!head?.isWaiting) return
    try {
      await store.write(tenant, changeMessage(tenant, head, { isWaiting: false }))
    } catch (error) {
      if (error instanceof ConditionFailed) again(error)
      throw error
    }
  })
}
