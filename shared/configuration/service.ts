import { findTenant } from '../auth/service.ts'
import { Invalid, type FieldErrors } from '../kernel/faults.ts'
import type { Caller } from '../kernel/principal.ts'
import type { Store } from '../store/store.ts'
import { differences } from '../trail/service.ts'
import type { ConfigurationChanges, ConfigurationDocument } from './schema.ts'
import type { Section } from './section.ts'

export { channelSection } from './channel-section.ts'
export { incomingActionSection } from './incoming-action-section.ts'
export { notificationTemplateSection } from './notification-template-section.ts'
export { processSection } from './process-section.ts'
export { relationSection } from './relation-section.ts'
export { roleSection } from './role-section.ts'
export { subscriptionSection } from './subscription-section.ts'
export { tableSection } from './table-section.ts'

type SectionName = keyof ConfigurationDocument
/** In the order in which they are applied: later sections may refer to earlier ones. */
export type Sections = Readonly<Record<SectionName, Section<any>>>

/** One document to create or change. */
interface Step {
  readonly section: SectionName
  readonly name: string
  readonly document: { readonly name: string }
  readonly isNew: boolean
  /** The differences to the existing document. */
  readonly lines: readonly string[]
}

/** Reads the tenant's configuration as one document, and applies such a document. */
export function createConfiguration({ store, sections }: { store: Pick<Store, 'get'>; sections: Sections }) {
  const names = Object.keys(sections) as SectionName[]

  async function read(caller: Caller): Promise<ConfigurationDocument> {
    const entries = await Promise.all(
      names.map(async (name) => [name, [...(await sections[name].read(caller)).values()]] as const),
    )
    return Object.fromEntries(entries) as ConfigurationDocument
  }

  /**
   * Creates and changes configuration as the document says; what it does not name stays unchanged. Idempotent. Checks
   * everything before the first write and throws Invalid naming every path. With `dryRun` nothing is written.
   */
  async function apply(
    caller: Caller,
    document: ConfigurationDocument,
    dryRun: boolean,
  ): Promise<ConfigurationChanges> {
    const steps = await plan(caller, document)
    if (!dryRun) await run(caller, steps)
    const changing = steps.filter(({ isNew, lines }) => !isNew && lines.length > 0)
    const pathOf = ({ section, name }: Step): string => `${section}.${name}`
    return {
      created: steps.filter(({ isNew }) => isNew).map(pathOf),
      changed: changing.map(pathOf),
      unchanged: steps.filter(({ isNew, lines }) => !isNew && lines.length === 0).length,
      differences: Object.fromEntries(changing.map((step) => [pathOf(step), [...step.lines]])),
    }
  }

  async function plan(caller: Caller, document: ConfigurationDocument): Promise<Step[]> {
    const errors: FieldErrors = {}
    const steps: Step[] = []
    for (const section of names) {
      const given: readonly { readonly name: string }[] = document[section] ?? []
      const existing = await sections[section].read(caller)
      const complete = given.map((one) => sections[section].complete(one, existing.get(one.name)))
      for (const [path, messages] of Object.entries(
        await sections[section].check(caller, complete, existing, document),
      ))
        errors[`${section}.${path}`] = messages
      given.forEach(({ name }, index) => {
        if (given.findIndex((other) => other.name === name) < index)
          errors[`${section}.${index}.name`] = [`The name ${name} is used twice. Use each name once.`]
      })
      for (const one of sections[section].inOrder?.(complete) ?? complete) {
        const before = existing.get(one.name)
        steps.push({
          section,
          name: one.name,
          document: one,
          isNew: !before,
          lines: before ? differences(before, one) : [],
        })
      }
    }
    if (Object.keys(errors).length > 0) throw new Invalid(errors)
    return steps
  }

  async function run(caller: Caller, steps: readonly Step[]): Promise<void> {
    for (const section of names) {
      // The configuration cached for the request is older than what earlier sections wrote.
      const tenant = (await findTenant(store, caller.tenant.id)) ?? caller.tenant
      const now = { ...caller, tenant }
      const own = steps.filter((step) => step.section === section)
      for (const { document } of own.filter(({ isNew }) => isNew)) await sections[section].create(now, document)
      const current = await sections[section].read(now)
      for (const { name, document } of own) {
        if (differences(current.get(name), document).length > 0) await sections[section].change(now, document)
      }
    }
  }

  return { read, apply }
}
