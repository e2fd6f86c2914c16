import type { Charge, Ledger } from './ledger.ts'

/** A charge as the books made it, whoever asked. */
export type Charged = Charge & { credentialSet: string }

/** For tests and benchmarks of clients that plan their points; the formula itself (cost.ts) stays as it is. */
export type Pricing = {
  /** What the formula gives is multiplied by this, anew for each operation of the set, and rounded. Default: 1. */
  priceFactor?: (credentialSet: string) => number
  /** Hears of each charge, paid or refused, in the order in which the books made them. */
  onCharge?: (charged: Charged) => void
}

/** The same books at other prices. What costs nothing costs nothing here either, and nothing else becomes free. */
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
