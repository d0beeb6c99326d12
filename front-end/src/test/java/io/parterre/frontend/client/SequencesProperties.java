package io.parterre.frontend.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

final class SequencesProperties {
    @Property(tries = 200)
    void sequenceTicketCarriesLowestUnsettledSequence(@ForAll long seed) {
        Random random = new Random(seed);
        Sequences sequences = new Sequences();
        List<Sequences.Ticket> open = new ArrayList<>();
        TreeSet<Long> numbers = new TreeSet<>();
        for (int i = 1; i < 300; i++) {
            Sequences.Ticket ticket = sequences.next();
            open.add(ticket);
            numbers.add(ticket.sequence());
            assertThat(ticket.sequence()).isEqualTo(i);
            assertThat(ticket.settledBelow()).isEqualTo(numbers.first());
            while (!open.isEmpty() && random.nextInt(3) > 0) {
                Sequences.Ticket settled = open.remove(random.nextInt(open.size()));
                numbers.remove(settled.sequence());
                sequences.settle(settled);
            }
        }
    }
}
