package io.parterre.frontend.http;

/**
 * Decides whether a connection that was just accepted may stay. Pure.
 *
 * <p>Rule: while there is room, every connection may stay. Otherwise the address with most
 * connections gives one up, if it has more than its even share and more than the newcomer's address
 * would have. There is no fixed limit for an address unless one is configured, because behind a
 * load balancer all clients share one address.
 *
 * @param connectionsMax most connections of all addresses together
 * @param perAddressMax most connections of one address; 0: no such limit
 */
record ConnectionAdmission(int connectionsMax, int perAddressMax) {
    enum Decision {
        STAY,
        /** The newcomer is closed: its address has as many connections as an address may have. */
        ADDRESS_FULL,
        /** The newcomer is closed: there is no room, and no address has to make room. */
        FULL,
        /**
         * The newcomer may stay if an idle connection of the address with most connections is
         * closed.
         */
        REPLACE
    }

    /**
     * Decides about a newcomer.
     *
     * @param connections open connections, without the newcomer
     * @param addresses addresses with connections, the newcomer's included
     * @param ofNewcomer connections of the newcomer's address, without the newcomer
     * @param ofBusiest connections of the address with most
     */
    Decision decide(int connections, int addresses, int ofNewcomer, int ofBusiest) {
        if (perAddressMax > 0 && ofNewcomer >= perAddressMax) {
            return Decision.ADDRESS_FULL;
        }
        if (connections < connectionsMax) {
            return Decision.STAY;
        }
        boolean tooMany = ofBusiest > connectionsMax / addresses;
        // With a difference of one, the two addresses would only displace each other in turn.
        return tooMany && ofBusiest > ofNewcomer + 1 ? Decision.REPLACE : Decision.FULL;
    }
}
