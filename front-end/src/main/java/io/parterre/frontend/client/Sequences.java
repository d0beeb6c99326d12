package io.parterre.frontend.client;

/**
 * Numbers the commands of this front end and knows the lowest number without a final answer; below
 * it ranges need not keep outcomes. Open numbers form a list in their order, so that taking a
 * number, settling it and finding the lowest take a few steps each. Thread-safe.
 */
final class Sequences {
    private final Ticket oldest = new Ticket(0, 0);
    private Ticket newest = oldest;
    private long last;

    /** A number in use until it is settled. */
    static final class Ticket {
        private final long sequence;
        private final long settledBelow;
        private Ticket before;
        private Ticket after;

        private Ticket(long sequence, long settledBelow) {
            this.sequence = sequence;
            this.settledBelow = settledBelow;
        }

        long sequence() {
            return sequence;
        }

        /** Returns the bound below which every number was settled when this ticket was taken. */
        long settledBelow() {
            return settledBelow;
        }
    }

    synchronized Ticket next() {
        last++;
        long lowestOpen = oldest.after == null ? last : oldest.after.sequence;
        Ticket ticket = new Ticket(last, lowestOpen);
        ticket.before = newest;
        newest.after = ticket;
        newest = ticket;
        return ticket;
    }

    /**
     * Settles a number: its final answer is known, or no one asks for the answer any more. To be
     * called once per ticket.
     */
    synchronized void settle(Ticket ticket) {
        ticket.before.after = ticket.after;
        if (ticket.after == null) {
            newest = ticket.before;
        } else {
            ticket.after.before = ticket.before;
        }
    }
}
