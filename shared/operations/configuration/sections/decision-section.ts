import { readXml } from '../../../automation/decisions/decision.ts'
import {
  checkDecision,
  type DecisionDependencies,
  decisions,
  doubtsOf,
} from '../../../automation/decisions/decisions.ts'
import type { DecisionDocument } from '../../../automation/decisions/schema.ts'
import type { Section } from './section.ts'

/** The decisions of a configuration, by their code. */
export const decisionSection = (services: DecisionDependencies): Section<DecisionDocument> => ({
  async read({ tenant }) {
    const all = await decisions.allFresh(services, tenant)
    const documents = await Promise.all(
      all.map(async ({ id, code, name, version }) => ({
        name: code,
        label: name,
        dmn_xml: (await readXml(services.store, tenant, id, version)) ?? '',
      })),
    )
    return new Map(documents.map((document) => [document.name, document]))
  },
  complete: ({ name, label, dmn_xml }, before) => ({ name, label: label ?? before?.label ?? name, dmn_xml }),
  openCheck: () =>
    Promise.resolve(async ({ name: code, dmn_xml: xml }, _index, warn) => {
      const errors = await checkDecision(services.compile, { code, xml })
      for (const warning of await doubtsOf(services.compile, code, xml)) warn(warning)
      return errors
    }),
  async create(author, { name, label = name, dmn_xml }) {
    await decisions.create(services, author, { code: name, name: label, dmn_xml })
  },
  async change(author, { name, label, dmn_xml }) {
    await decisions.change(services, author, name, { name: label, dmn_xml })
  },
})
