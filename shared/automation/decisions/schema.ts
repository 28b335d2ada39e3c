import * as z from 'zod'
import {
  maxDecisionNameCharacters,
  maxDecisionXmlBytes,
  maxReplayJobRecords,
  maxReplayRecords,
} from '../../kernel/limits/decisions.ts'
import { maxNameCharacters } from '../../kernel/limits/requests.ts'
import { readOnly, stamps } from '../../platform/configured-objects/schema.ts'
import { queryId } from '../../platform/http/paging/page-query.ts'

const Code = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,62}$/, {
  error: 'Use letters, digits, dashes and underscores, beginning with a letter, at most 63.',
})
const Name = z.string().trim().min(1).max(maxDecisionNameCharacters)
const Xml = z.string().min(1).max(maxDecisionXmlBytes).meta({
  description:
    'A DMN document of version 1.1 to 1.5. When several decisions in it answer something that no other needs, the code is the id of the one that is asked.',
})

/** What a decision is called in addresses: its code, or its id. */
export const DecisionParams = z.object({
  id: z.string().max(maxNameCharacters).meta({ description: 'Code of the decision, or its id.' }),
})

const Input = z.object({
  name: z.string(),
  type: z.string().meta({ description: 'Its type in FEEL; `any` when the document does not say.' }),
})

export const DecisionHead = z.object({
  id: z.int(),
  code: z.string().meta({ description: 'Identifies it in processes and in the configuration; unique.' }),
  name: z.string(),
  inputs: z.array(Input).meta({ description: 'What its expressions name: what an evaluation is given.' }),
  ...stamps,
})
export type DecisionHead = z.output<typeof DecisionHead>

export const DecisionAnswer = DecisionHead.extend({ dmn_xml: z.string() })
export type DecisionAnswer = z.output<typeof DecisionAnswer>

const ofVersion = queryId('version', 'A former version; 404 when there is none. The default is the current one.')
export const DecisionView = z.object({ version: ofVersion })
export type DecisionView = z.output<typeof DecisionView>

export const DecisionInput = z.strictObject({
  ...readOnly,
  inputs: z.unknown().optional().meta({ description: 'Read only.' }),
  code: Code.optional().meta({ description: 'Derived from the name when left out.' }),
  name: Name,
  dmn_xml: Xml,
})
export type DecisionInput = z.output<typeof DecisionInput>
export const DecisionChange = DecisionInput.partial()
export type DecisionChange = z.output<typeof DecisionChange>

/** A decision in the configuration document; `name` is its code. */
export const DecisionDocument = z.strictObject({ name: Code, label: Name.optional(), dmn_xml: Xml })
export type DecisionDocument = z.output<typeof DecisionDocument>

export const EvaluateBody = z
  .record(z.string().max(maxNameCharacters), z.unknown())
  .meta({ description: 'The inputs by their names; one that is left out is null.' })

const result = z.unknown().meta({
  description:
    'The value of the only output, or all outputs by their names; a list of them for COLLECT, RULE ORDER and OUTPUT ORDER; null when no rule matches.',
})
const rules = z.array(z.string()).meta({
  description: 'The ids of the rules that it comes from; `rule-3` for the third one when it has none.',
})

export const EvaluateAnswer = z.object({
  result,
  rules,
  required: z
    .array(z.object({ id: z.string(), result: z.unknown(), rules: z.array(z.string()) }))
    .optional()
    .meta({
      description: 'Of a decision that requires others: what those answered, in the order of their evaluation.',
    }),
})
export type EvaluateAnswer = z.output<typeof EvaluateAnswer>

export const ReplayBody = z.strictObject({
  model: z.string().max(maxNameCharacters).meta({ description: 'Name of the table.' }),
  filter: z
    .record(z.string(), z.unknown())
    .nullish()
    .meta({ description: 'Which records, in the grammar of lists; all when left out.' }),
  mapping: z.record(z.string(), z.string()).nullish().meta({
    description:
      'The field that each input takes its value from; an input that is left out takes the field of its name. `record` is the whole record.',
  }),
  dmn_xml: Xml.optional().meta({ description: 'A candidate, which is compared with the decision and not stored.' }),
  version: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'A former version of the decision instead of the current one.' }),
  limit: z
    .int()
    .min(1)
    .max(maxReplayJobRecords)
    .optional()
    .meta({
      description: `How many records, the newest first; ${maxReplayRecords} when left out. A job evaluates more than those.`,
    }),
})
export type ReplayBody = z.output<typeof ReplayBody>

const Ids = z.array(z.int()).meta({ description: 'The newest of them.' })
const Outcomes = z.object({
  rules: z
    .array(z.object({ id: z.string(), matched: z.int(), records: Ids }))
    .meta({ description: 'Every rule of the decision in its order, also those that match nothing.' }),
  no_match: z.object({ count: z.int(), records: Ids }).meta({ description: 'Records that no rule matches.' }),
  failed: z
    .object({ count: z.int(), records: z.array(z.object({ id: z.int(), message: z.string() })) })
    .meta({ description: 'Records for which it has no result, and why.' }),
  results: z
    .array(z.object({ result: z.unknown(), count: z.int() }))
    .meta({ description: 'The most frequent results, at most 20.' }),
})
export type Outcomes = z.output<typeof Outcomes>

export const ReplayAnswer = Outcomes.extend({
  version: z.int().meta({ description: 'The version that was evaluated.' }),
  total: z.int().meta({ description: 'How many records the filter matches.' }),
  evaluated: z.int(),
  is_complete: z.boolean().meta({ description: 'Whether every record that matches was evaluated.' }),
  candidate: Outcomes.extend({
    differs: z.object({
      count: z.int(),
      records: z.array(z.object({ id: z.int(), result: z.unknown(), candidate: z.unknown() })),
    }),
  })
    .optional()
    .meta({ description: 'The same for the candidate, and the records for which it answers something else.' }),
})
export type ReplayAnswer = z.output<typeof ReplayAnswer>

export const ReplayAccepted = z.object({
  job_id: z.int().meta({ description: 'Of the job (`GET /api/sys/jobs/{id}`), whose `result` is the answer.' }),
})
export type ReplayAccepted = z.output<typeof ReplayAccepted>
