import { Fn } from 'aws-cdk-lib'
import { type ITable, Table } from 'aws-cdk-lib/aws-dynamodb'
import type { Construct } from 'constructs'
import type { DataTable } from './data-table.ts'
import type { RestoredTable, StackParameters } from './stack-parameters.ts'

/** The table of the data stack, or one that was restored and is named by parameters. */
export function tableInUse(
  scope: Construct,
  id: string,
  own: DataTable,
  { restoredTable }: Pick<StackParameters, 'restoredTable'>,
): ITable {
  const { isGiven, streamArn } = restoredTable
  return Table.fromTableAttributes(scope, id, {
    tableName: nameInUse(own, restoredTable),
    tableStreamArn: Fn.conditionIf(isGiven.logicalId, streamArn, own.tableStreamArn as string).toString(),
  })
}

/** The same table for its metrics: by its name alone. */
export const watchedTable = (
  scope: Construct,
  id: string,
  own: DataTable,
  { restoredTable }: { readonly restoredTable: RestoredTable },
): ITable => Table.fromTableName(scope, id, nameInUse(own, restoredTable))

const nameInUse = (own: DataTable, { isGiven, name }: RestoredTable): string =>
  Fn.conditionIf(isGiven.logicalId, name, own.tableName).toString()
