import * as z from 'zod'
import { maxLinksPerCall } from '../../../shared/kernel/limits/relations.ts'
import { exampleTimes } from '../../../shared/platform/configured-objects/schema.ts'
import { PageQuery, wholeListQuery } from '../../../shared/platform/http/paging/page-query.ts'
import { defineRoute, onTable, signedIn, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { idOf } from '../../../shared/platform/http/routing/input/path-params.ts'
import { objectRoutes } from '../../../shared/platform/http/routing/object-routes.ts'
import { EntityRecord } from '../../../shared/records/records/schema.ts'
import {
  LinkBody,
  LinkResult,
  RelationAnswer,
  RelationChange,
  RelationInput,
  TablePosition,
  UnlinkBody,
  UnlinkResult,
} from '../../../shared/records/relations/schema.ts'

const tag = 'Relations'
const relationId = idOf('relation')
const waiting = { name: 'Clients who wait', l_table: 'requests', r_table: 'clients' }
const related = { name: 'Related requests', l_table: 'requests', r_table: 'requests' }
const relatedAnswer = { id: 1, ...related, ...exampleTimes, version: 1 }
const vpn = {
  id: 2,
  tenant_id: 1,
  created_by: 1,
  updated_by: 1,
  created_at: '2026-11-20T07:17:00.000Z',
  updated_at: '2026-11-20T07:17:00.000Z',
  version: 2,
  data: { title: 'VPN drops every hour', priority: 5, status: 'in_progress', client_id: 2 },
}

export const relationObjectRoutes = objectRoutes({
  path: '/api/sys/relations',
  tag,
  called: { one: 'relation', many: 'relations' },
  answer: RelationAnswer,
  input: RelationInput,
  change: RelationChange,
  readPermission: signedIn,
  neverWarns: true,
  says: {
    list: { summary: 'List all relations' },
    create: { description: 'Many-to-many, between two tables or a table and itself. A taken name is 409.' },
    change: {
      summary: 'Rename a relation',
      description: 'Its tables cannot change (422). `version`, when given, must be the current one (412).',
      example: {
        params: { id: 1 },
        body: { ...related, name: 'See also' },
        answer: { ...relatedAnswer, name: 'See also', version: 2 },
      },
    },
    remove: { description: 'Also deletes its links, in the background. The records are kept.' },
  },
  examples: {
    create: { body: waiting, answer: { id: 2, ...waiting, ...exampleTimes, version: 1 } },
    stored: relatedAnswer,
    change: {},
  },
})

export const listRelationsOfTable = defineRoute({
  method: 'GET',
  path: '/api/sys/relations/all/{sys_table_id}',
  operationId: 'listRelationsOfTable',
  tag,
  summary: 'List the relations of a table',
  description:
    'All relations in which the table takes part, on either side, newest first; without `per_page` the whole list.',
  permission: signedIn,
  params: z.object({
    sys_table_id: z.string().meta({ description: 'Numeric id of the table, or its name.' }),
  }),
  query: wholeListQuery(RelationAnswer),
  answer: RelationAnswer,
  shape: 'page',
  example: { params: { sys_table_id: '102' }, answer: [relatedAnswer] },
})

export const listRelated = defineRoute({
  method: 'GET',
  path: '/api/sys/related_instances/{relation_id}/{table_name}/{instance_id}',
  operationId: 'listRelatedRecords',
  tag,
  summary: 'List related records',
  description: 'The records of the far table that are linked to this one, newest first. Needs read on both tables.',
  permission: onTable('read', 'table_name'),
  params: z.object({
    relation_id: relationId,
    table_name: z.string().meta({ description: 'Name of the table on whose side the record is.' }),
    instance_id: idOf('record'),
  }),
  query: PageQuery.extend({
    position: TablePosition.optional().meta({
      description: 'The side on which the record is, for a relation of a table with itself; `l_table` unless given.',
    }),
  }),
  answer: EntityRecord,
  shape: 'page',
  example: { params: { relation_id: 1, table_name: 'requests', instance_id: 3 }, answer: [vpn] },
})

export const addRelated = defineRoute({
  method: 'POST',
  path: '/api/sys/add_related_instances/{relation_id}/{table_position}/{instance_id}',
  operationId: 'linkRecords',
  tag,
  summary: 'Link records',
  description: `Links the record with up to ${maxLinksPerCall} records of the other side. An id that does not exist is 422, and then nothing is linked. Needs update on this record's table and read on the other.`,
  // The relation names the tables, so the slice checks both permissions.
  permission: signedIn,
  params: z.object({
    relation_id: relationId,
    table_position: TablePosition.meta({ description: 'The side on which the record is.' }),
    instance_id: idOf('record'),
  }),
  body: LinkBody,
  answer: LinkResult,
  example: {
    params: { relation_id: 1, table_position: 'l_table', instance_id: 1 },
    body: { ids: [2, 3] },
    answer: { added: [2, 3], existing: [] },
  },
})

export const unlinkRelated = defineRoute({
  method: 'POST',
  path: '/api/sys/relations/unlink/{relation_id}/{table_position}/{right_id}',
  operationId: 'unlinkRecords',
  tag,
  summary: 'Unlink records',
  description:
    'Removes the links between `{right_id}` and the records `ids` on the `{table_position}` side; without a body, every link of `{right_id}` in this relation. Needs update on the table at `{table_position}` and read on the other.',
  permission: signedIn,
  params: z.object({
    relation_id: relationId,
    table_position: TablePosition.meta({ description: 'The side on which the records of `ids` are.' }),
    right_id: idOf('record on the other side'),
  }),
  body: UnlinkBody,
  answer: UnlinkResult,
  example: {
    params: { relation_id: 1, table_position: 'l_table', right_id: 2 },
    body: { ids: [3] },
    answer: { removed: 1 },
  },
})

export const routes: readonly Route[] = [
  ...Object.values(relationObjectRoutes),
  listRelationsOfTable,
  listRelated,
  addRelated,
  unlinkRelated,
]
