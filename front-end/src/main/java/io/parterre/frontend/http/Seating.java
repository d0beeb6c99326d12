package io.parterre.frontend.http;

/**
 * Decides whether a connection that was just accepted may stay. Pure.
 *
 * <p>Rule: while there is room, anybody may; else the address that has most connections gives one
 * up, if it has more than its even share and more than the newcomer's would have. There is no fixed
 * cap for an address unless one is set: behind a load balancer all clients are one address.
 *
 * @param connectionsMax of all addresses together
 * @param perAddressMax of one address; 0: no such limit
 */
record Seating(int connectionsMax, int perAddressMax) {
    enum Decision {
        STAY,
        /** It goes: its address has as many as one may have. */
        ADDRESS_FULL,
        /** It goes: there is no room, and nobody has to make some. */
        FULL,
        /** It may stay if an idle connection of the address with most of them goes. */
        REPLACE
    }

    /**
     * Decides.
     *
     * @param connections there are, without the newcomer
     * @param addresses that have any, the newcomer's included
     * @param ofNewcomer connections of its address, without it
     * @param ofBusiest connections of the address that has most
     */
    Decision decide(int connections, int addresses, int ofNewcomer, int ofBusiest) {
        if (perAddressMax > 0 && ofNewcomer >= perAddressMax) {
            return Decision.ADDRESS_FULL;
        }
        if (connections < connectionsMax) {
            return Decision.STAY;
        }
        boolean tooMany = ofBusiest > connectionsMax / addresses;
        // One more than the newcomer's would only pass the lack on to and fro.
        return tooMany && ofBusiest > ofNewcomer + 1 ? Decision.REPLACE : Decision.FULL;
    }
}
