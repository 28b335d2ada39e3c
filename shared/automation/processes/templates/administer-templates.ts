import type { VersionMatch } from '../../../kernel/failures/concurrent-change.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { withWarnings } from '../../../platform/http/routing/envelope.ts'
import type { TemplateChange, TemplateInput, TemplateView } from '../schema.ts'
import { getLaidOutTemplate, getTemplate, type LayOut, listTemplates } from './read-templates.ts'
import { changeTemplate, createTemplate, deleteTemplate, type TemplateDependencies } from './write-templates.ts'

type Services = TemplateDependencies & { readonly layOut: LayOut }
type By = Pick<Caller, 'tenant'>

/** The administration of process templates. */
export const templates = {
  list: (services: Services, { tenant }: By, query: Parameters<typeof listTemplates>[2]) =>
    listTemplates(services, tenant, query),
  get: (services: Services, { tenant }: By, id: number, { version, layout }: TemplateView) =>
    (layout === 'true' ? getLaidOutTemplate : getTemplate)(services, tenant, id, version),
  create: async (services: Services, caller: Caller, input: TemplateInput) =>
    answerSaved(await createTemplate(services, caller, input)),
  change: async (services: Services, caller: Caller, id: number, input: TemplateChange, ifMatch?: VersionMatch) =>
    answerSaved(await changeTemplate(services, caller, id, input, ifMatch)),
  remove: deleteTemplate,
}

const answerSaved = ({ template, warnings }: Awaited<ReturnType<typeof createTemplate>>) =>
  withWarnings(template, warnings)
