import { Fn } from 'aws-cdk-lib'
import { type ITable, Table } from 'aws-cdk-lib/aws-dynamodb'
import type { Construct } from 'constructs'
import type { DataTable } from './data-table.ts'
import type { StackParameters } from './stack-parameters.ts'

/** The table of the data stack, or one that was restored and is named by parameters. */
export function tableInUse(
  scope: Construct,
  id: string,
  own: DataTable,
  { restoredTable: { isGiven, name, streamArn } }: Pick<StackParameters, 'restoredTable'>,
): ITable {
  return Table.fromTableAttributes(scope, id, {
    tableName: Fn.conditionIf(isGiven.logicalId, name, own.tableName).toString(),
    tableStreamArn: Fn.conditionIf(isGiven.logicalId, streamArn, own.tableStreamArn as string).toString(),
  })
}
