import { RemovalPolicy } from 'aws-cdk-lib'
import {
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb'
import type { Construct } from 'constructs'

/** DynamoDB's limit. An unused sparse index costs nothing; adding one later takes a stack update each. */
const slotCount = 20

/** Index `slot07` has the keys `p07` and `s07`. The store assigns fields to slots. */
export const slotNumbers: readonly string[] = Array.from({ length: slotCount }, (_, index) =>
  String(index + 1).padStart(2, '0'),
)

/** The single table: the items of all tenants, 20 index slots, and the stream. */
export class DataTable extends TableV2 {
  /** `isProtected`: nobody can delete it. A deployment that fails could not clean it away then. */
  constructor(scope: Construct, id: string, isProtected: boolean) {
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
  }
}
