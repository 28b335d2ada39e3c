import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Config } from '../../../platform/store/config.ts'
import type { TemplateHead } from '../schema.ts'
import { readTemplate, type Template } from './template.ts'

/** A template as lists show it: without its document. */
export const describeTemplate = ({
  id,
  code,
  name,
  table,
  isAutoStart,
  isActive,
  version,
}: Template): TemplateHead => ({
  id,
  code,
  name,
  table,
  is_auto_start: isAutoStart,
  is_active: isActive,
  version,
})

/** The names of templates by id, without deleted ones. */
export const templateNames = async (
  config: Pick<Config, 'list'>,
  tenant: Tenant,
): Promise<ReadonlyMap<number, string>> =>
  new Map((await config.list(tenant, 'PROCESS', readTemplate)).map(({ id, name }) => [id, name]))
