import * as z from 'zod'
import { IdParam, PageQuery } from '../../shared/http/paging/page-query.ts'
import { administrator, defineRoute, signedIn, type Route } from '../../shared/http/routing/define-route.ts'
import { TemplateAnswer, TemplateChange, TemplateHead, TemplateInput } from '../../shared/processes/schema.ts'
import { template, templateHead } from './examples.ts'

const tag = 'Processes'
const oneTemplate = z.object({ id: IdParam.meta({ description: 'Id of the process template.' }) })
const { id: _, version: __, ...templateInput } = template

export const listTemplates = defineRoute({
  method: 'GET',
  path: '/api/sys/process-templates',
  tag,
  summary: 'List process templates',
  description: 'Newest first, without their documents.',
  permission: signedIn,
  query: PageQuery.extend({ table: z.string().optional().meta({ description: 'Only those of this table.' }) }),
  answer: TemplateHead,
  shape: 'page',
  example: { query: { table: 'requests' }, answer: [templateHead] },
})

export const createTemplate = defineRoute({
  method: 'POST',
  path: '/api/sys/process-templates',
  tag,
  summary: 'Create a process template',
  description:
    'A BPMN 2.0 document whose process runs for records of `table`. A document that cannot run is 422: `errors` names each element as `bpmn_xml.<element id>`, and `data.findings` lists all findings. The tables and fields that the document names must exist. A code that is in use is 409.',
  permission: administrator,
  body: TemplateInput,
  answer: TemplateAnswer,
  status: 201,
  example: { body: templateInput, answer: template },
})

export const getTemplateSchema = defineRoute({
  method: 'GET',
  path: '/api/sys/process-templates/schema',
  tag,
  summary: 'Read the descriptor of the BPMN extension',
  description:
    'Describes what the namespace `urn:entity-workflow:wf:1` adds to BPMN, as a moddle descriptor for editors (bpmn-js: `moddleExtensions: { wf }`).',
  permission: signedIn,
  answer: z.looseObject({ name: z.string(), uri: z.string(), prefix: z.string(), types: z.unknown() }),
  example: {
    answer: {
      name: 'Entity workflow',
      uri: 'urn:entity-workflow:wf:1',
      prefix: 'wf',
      types: [
        {
          name: 'ProcessProps',
          extends: ['bpmn:Process'],
          properties: [{ name: 'table', isAttr: true, type: 'String' }],
        },
      ],
    },
  },
})

export const getTemplate = defineRoute({
  method: 'GET',
  path: '/api/sys/process-templates/{id}',
  tag,
  summary: 'Read a process template',
  description: 'With the document of its current version.',
  permission: signedIn,
  params: oneTemplate,
  answer: TemplateAnswer,
  example: { params: { id: 2 }, answer: template },
})

export const changeTemplate = defineRoute({
  method: 'PUT',
  path: '/api/sys/process-templates/{id}',
  tag,
  summary: 'Change a process template',
  description:
    'Members that are left out stay as they are. Every change makes a version; running instances keep theirs. The code cannot be changed (422). `version`, when given, must be the current one (409). A change that alters nothing keeps the version.',
  permission: administrator,
  params: oneTemplate,
  body: TemplateChange,
  answer: TemplateAnswer,
  example: {
    params: { id: 2 },
    body: { is_active: false, version: 1 },
    answer: { ...template, is_active: false, version: 2 },
  },
})

export const deleteTemplate = defineRoute({
  method: 'DELETE',
  path: '/api/sys/process-templates/{id}',
  tag,
  summary: 'Delete a process template',
  description: 'Refused (409) while instances of it run. Instances that have ended can still be read.',
  permission: administrator,
  params: oneTemplate,
  answer: z.undefined(),
  status: 204,
  example: { params: { id: 2 } },
})

export const templateRoutes: readonly Route[] = [
  listTemplates,
  createTemplate,
  getTemplateSchema,
  getTemplate,
  changeTemplate,
  deleteTemplate,
]
