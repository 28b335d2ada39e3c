/** The tenant whose items a call of DynamoDB is about, from the first key it names: `T#<id>#…`. */
export function tenantOfCall(input: any): string | undefined {
  if (input.Key) return tenantOfKey(input.Key)
  if (input.Item) return tenantOfKey(input.Item)
  if (input.ExpressionAttributeValues) return tenantOfValues(input.ExpressionAttributeValues)
  if (input.TransactItems) {
    for (const item of input.TransactItems) {
      const { Key, Item } = Object.values(item)[0] as any
      const tenant = tenantOfKey(Key ?? Item)
      if (tenant !== undefined) return tenant
    }
    return undefined
  }
  for (const asked of Object.values(input.RequestItems ?? {}) as any[]) {
    for (const one of asked.Keys ?? asked) {
      const tenant = tenantOfKey(one.PutRequest?.Item ?? one.DeleteRequest?.Key ?? one)
      if (tenant !== undefined) return tenant
    }
  }
  return undefined
}

const tenantOfKey = (key: any): string | undefined => tenantOfText(key.pk?.S)

function tenantOfValues(values: any): string | undefined {
  for (const value of Object.values(values) as any[]) {
    const tenant = tenantOfText(value.S)
    if (tenant !== undefined) return tenant
  }
  return undefined
}

function tenantOfText(text: string | undefined): string | undefined {
  if (!text?.startsWith('T#')) return undefined
  const end = text.indexOf('#', 2)
  return end === -1 ? undefined : text.slice(2, end)
}
