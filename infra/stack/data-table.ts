import { Aws, Fn, RemovalPolicy } from 'aws-cdk-lib'
import {
  AttributeType,
  Billing,
  type CfnGlobalTable,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb'
import type { Construct } from 'constructs'
import type { OnDemandLimit, OnDemandLimits } from './stack-parameters.ts'

/** DynamoDB's limit. An unused sparse index costs nothing; adding one later takes a stack update each. */
const slotCount = 20

/** Index `slot07` has the keys `p07` and `s07`. The store assigns fields to slots. */
export const slotNumbers: readonly string[] = Array.from({ length: slotCount }, (_, index) =>
  String(index + 1).padStart(2, '0'),
)

/** The single table: the items of all tenants, 20 index slots, and the stream. */
export class DataTable extends TableV2 {
  /** `isProtected`: nobody can delete it. A deployment that fails could not clean it away then. */
  constructor(
    scope: Construct,
    id: string,
    { isProtected, limits }: { readonly isProtected: boolean; readonly limits: OnDemandLimits },
  ) {
    super(scope, id, {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: 'expires_at',
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: isProtected,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      globalSecondaryIndexes: slotNumbers.map((slot) => ({
        indexName: `slot${slot}`,
        partitionKey: { name: `p${slot}`, type: AttributeType.STRING },
        sortKey: { name: `s${slot}`, type: AttributeType.STRING },
        projectionType: ProjectionType.KEYS_ONLY,
      })),
    })
    this.#limit(limits)
  }

  /**
   * Overrides, because the L2 properties take no condition. Reads are limited by replica, of which there is one, and there by
   * index. The writes of an index follow from those of the table: a limit of its own would only refuse writes of the table
   * earlier, as an entry that moves takes two units.
   */
  #limit({ readUnits, writeUnits }: OnDemandLimits): void {
    const resource = this.node.defaultChild as CfnGlobalTable
    const reads = { ReadOnDemandThroughputSettings: { MaxReadRequestUnits: readUnits.amount } }
    const whenSet = ({ isSet }: OnDemandLimit, value: object): object =>
      Fn.conditionIf(isSet.logicalId, value, Aws.NO_VALUE)
    const replica = 'Replicas.0'
    resource.addPropertyOverride(
      'WriteOnDemandThroughputSettings',
      whenSet(writeUnits, { MaxWriteRequestUnits: writeUnits.amount }),
    )
    resource.addPropertyOverride(
      `${replica}.ReadOnDemandThroughputSettings`,
      whenSet(readUnits, reads.ReadOnDemandThroughputSettings),
    )
    resource.addPropertyOverride(
      `${replica}.GlobalSecondaryIndexes`,
      whenSet(
        readUnits,
        slotNumbers.map((slot) => ({ IndexName: `slot${slot}`, ...reads })),
      ),
    )
  }
}
