import type { Charge, Ledger } from './ledger.ts'

/** A charge with its credential set. */
export type Charged = Charge & { credentialSet: string }

/**
 * Cost variations for tests and benchmarks of clients that plan their points; the formula itself (cost.ts) stays as it
 * is.
 */
export type Pricing = {
  /** Factor for the formula's cost, for each operation of the set; the result is rounded. Default: 1. */
  priceFactor?: (credentialSet: string) => number
  /** Called with each charge, paid or rejected, in order. */
  onCharge?: (charged: Charged) => void
}

/** Returns the same ledger with other costs. A free operation stays free, and no other becomes free. */
export function pricedLedger(ledger: Ledger, { priceFactor = () => 1, onCharge = () => {} }: Pricing): Ledger {
  return {
    ...ledger,
    charge(credentialSet, cost) {
      const price = cost === 0 ? 0 : Math.max(1, Math.round(cost * priceFactor(credentialSet)))
      const charge = ledger.charge(credentialSet, price)
      onCharge({ ...charge, credentialSet })
      return charge
    },
  }
}
