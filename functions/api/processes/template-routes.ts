import * as z from 'zod'
import {
  DescriptorQuery,
  FiguresAnswer,
  TemplateChange,
  TemplateHead,
  TemplateInput,
  TemplateAnswer,
  TemplateView,
} from '../../../shared/automation/processes/schema.ts'
import { exampleTimes } from '../../../shared/platform/configured-objects/schema.ts'
import { listQuery } from '../../../shared/platform/http/paging/page-query.ts'
import { administrator, defineRoute, signedIn, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { idOf } from '../../../shared/platform/http/routing/input/path-params.ts'
import { objectRoutes } from '../../../shared/platform/http/routing/object-routes.ts'
import { template, templateHead } from './examples.ts'

const tag = 'Processes'
const oneTemplate = z.object({ id: idOf('process template') })
const templateInput = {
  code: 'approval',
  name: 'Approval',
  table: 'requests',
  is_auto_start: false,
  is_active: true,
  bpmn_xml: template.bpmn_xml,
}

export const templateObjectRoutes = objectRoutes({
  path: '/api/sys/process-templates',
  tag,
  called: { one: 'process template', many: 'process templates' },
  answer: TemplateAnswer,
  input: TemplateInput,
  change: TemplateChange,
  readPermission: signedIn,
  says: {
    list: {
      summary: 'List process templates',
      description: 'Newest first, without their documents.',
      query: listQuery(TemplateHead).extend({
        table: z.string().optional().meta({ description: 'Only those of this table.' }),
      }),
      answer: TemplateHead,
      example: { query: { table: 'requests' }, answer: [templateHead] },
    },
    create: {
      description:
        'A BPMN 2.0 document whose process runs for records of `table`. A document that cannot run is 422: `errors` names each element as `bpmn_xml.<element id>`, and `data.findings` lists all findings. With `is_active: false` it is saved as a draft all the same, and `findings` of the answer lists them; only what is no BPMN, or too large, is refused then. The tables and fields that the document names must exist. A code that is in use is 409. `warnings` names what other engines understand and this one does not, such as `camunda:assignee`, roles, templates and channels that do not exist yet, and what a template does not get.',
    },
    get: {
      description:
        'With the document of its current version, or with `version=n` of a former one: what an instance runs is its `template.version`. The other members, such as the name, are those of now. bpmn-js and other modelers open only documents with a diagram: `layout=true` adds one to a document that has none.',
      query: TemplateView,
    },
    change: {
      description:
        'Members that are left out stay as they are. Every change makes a version; a draft that cannot run yet is 422 when it is activated, with its findings. Running instances keep theirs. The code cannot be changed (422). `version`, when given, must be the current one (412). A change that alters nothing keeps the version.',
      example: {
        params: { id: 1 },
        body: { is_active: false, version: 1 },
        answer: { ...template, is_active: false, findings: [], version: 2 },
      },
    },
    remove: {
      description:
        'Refused (422, `in_use`) while instances of it run, and while another template calls it. Instances that have ended can still be read.',
      example: { params: { id: 2 } },
    },
  },
  examples: {
    create: { body: templateInput, answer: { id: 2, ...templateInput, ...exampleTimes, version: 1 } },
    stored: template,
    change: {},
  },
})

export const getTemplateSchema = defineRoute({
  method: 'GET',
  path: '/api/sys/process-templates/schema',
  operationId: 'getProcessSchema',
  tag,
  summary: 'Read the descriptor of the BPMN extension',
  description:
    'Describes what the namespace `urn:entity-workflow:wf:1` adds to BPMN, as a moddle descriptor for editors (bpmn-js: `moddleExtensions: { wf }`). With `table`, which you must be able to read, it knows `complete_on_field_<field>` of that table.',
  permission: signedIn,
  query: DescriptorQuery,
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
          properties: [{ name: 'wf:table', isAttr: true, type: 'String' }],
        },
      ],
    },
  },
})

export const getFigures = defineRoute({
  method: 'GET',
  path: '/api/sys/process-templates/{id}/figures',
  operationId: 'getProcessFigures',
  tag,
  summary: 'Read the figures of a process template',
  description:
    'How many instances of each version are in which status, what waits and what failed at each element, and how often and how long elements took. Counts are exact while the template has at most 2,000 instances, else those of the newest 2,000 (`instances.is_exact`); completions and durations are read from the histories of the newest 100 (`durations`).',
  permission: administrator,
  params: oneTemplate,
  answer: FiguresAnswer,
  example: {
    params: { id: 1 },
    answer: {
      template_id: 1,
      version: 1,
      instances: {
        counted: 1,
        is_exact: true,
        versions: [{ version: 1, running: 1, suspended: 0, incident: 0, completed: 0, cancelled: 0 }],
      },
      elements: [
        { element_id: 'approve', waiting: 1, incidents: 0, completed: 0, mean_ms: null, p95_ms: null },
        { element_id: 'created', waiting: 0, incidents: 0, completed: 1, mean_ms: 0, p95_ms: 0 },
      ],
      durations: { instances: 1, is_exact: true },
    },
  },
})

const { list, create, ...single } = templateObjectRoutes
export const templateRoutes: readonly Route[] = [list, create, getTemplateSchema, ...Object.values(single), getFigures]
