import * as z from 'zod'
import { maxProcessNameCharacters, maxXmlCharacters } from '../../../kernel/limits/processes.ts'
import { readOnly, stamps } from '../../../platform/configured-objects/schema.ts'
import { queryId } from '../../../platform/http/paging/page-query.ts'
import { findingCodes } from '../../bpmn/shapes/finding-codes.ts'
import { Id, Moment } from '../schema-parts.ts'

export const codePattern = /^[a-z][a-z0-9_-]{0,62}$/
const Code = z.string().regex(codePattern, {
  error: 'Use lower-case letters, digits, dashes and underscores, beginning with a letter, at most 63.',
})
const Name = z.string().trim().min(1).max(maxProcessNameCharacters)
const Xml = z
  .string()
  .min(1)
  .max(maxXmlCharacters)
  .meta({ description: 'A BPMN 2.0 document with one executable process.' })

export const TemplateHead = z.object({
  id: Id,
  code: z.string().meta({ description: 'Identifies it in scripts and configuration; unique, and never changes.' }),
  name: z.string(),
  table: z.string().meta({ description: 'The table whose records the process is about.' }),
  is_auto_start: z.boolean().meta({ description: 'Starts automatically for every new record of the table.' }),
  is_active: z.boolean().meta({ description: 'Only an active template starts; running instances continue.' }),
  ...stamps,
  version: z.int().meta({ description: 'Every change raises it; running instances keep theirs.' }),
})
export type TemplateHead = z.output<typeof TemplateHead>

const TemplateFinding = z.object({
  element_id: z.string().nullable().meta({ description: 'Null: the document as a whole.' }),
  code: z.enum(findingCodes),
  message: z.string(),
})

export const TemplateAnswer = TemplateHead.extend({
  bpmn_xml: z.string(),
  findings: z.array(TemplateFinding).optional().meta({
    description: 'Of a template that is not active: why it cannot run yet. Empty: it can be activated.',
  }),
  next_start_at: Moment.optional().meta({ description: 'Of a template that starts by a timer: when it does next.' }),
})
export type TemplateAnswer = z.output<typeof TemplateAnswer>

export const TemplateView = z.object({
  version: queryId(
    'version',
    'Answers the document of this version; 404 when there is none. The default is the current one.',
  ),
  layout: z.enum(['true', 'false']).optional().meta({
    description: 'Adds a diagram (BPMNDI) to a document that has none, so that modelers can open it. It is not saved.',
  }),
})

export type TemplateView = z.output<typeof TemplateView>

export const DescriptorQuery = z.object({
  table: z.string().optional().meta({
    description: 'Adds the attributes `complete_on_field_<field>` for the fields of this table that you may read.',
  }),
})

export const TemplateInput = z.strictObject({
  ...readOnly,
  findings: z.unknown().optional().meta({ description: 'Read only.' }),
  next_start_at: z.unknown().optional().meta({ description: 'Read only.' }),
  code: Code.optional().meta({ description: 'Derived from the name when left out.' }),
  name: Name,
  table: z
    .string()
    .optional()
    .meta({ description: 'When left out of a new template, the value of `wf:table` in the document.' }),
  bpmn_xml: Xml,
  is_auto_start: z
    .boolean()
    .optional()
    .meta({ description: 'When left out, the value of `wf:autoStart` in the document, or false.' }),
  is_active: z.boolean().optional().meta({
    description: 'True when left out. False saves a draft, which need not be able to run yet.',
  }),
})
export type TemplateInput = z.output<typeof TemplateInput>

export const TemplateChange = TemplateInput.partial()
export type TemplateChange = z.output<typeof TemplateChange>
