package io.parterre.frontend.client;

/**
 * Numbers the commands of this front end and knows the lowest without a final answer: below it,
 * ranges need not remember outcomes. Open numbers form a list in their order, so that taking,
 * settling and asking for the lowest are each a few steps. Safe for any thread.
 */
final class Sequences {
    private final Ticket oldest = new Ticket(0, 0);
    private Ticket newest = oldest;
    private long last;

    /** A number in use, until it is settled. */
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

        /** Every number below was settled when this one was taken. */
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

    /** The final answer is known, or nobody will ask for it any more. To be called once. */
    synchronized void settle(Ticket ticket) {
        ticket.before.after = ticket.after;
        if (ticket.after == null) {
            newest = ticket.before;
        } else {
            ticket.after.before = ticket.before;
        }
    }
}
