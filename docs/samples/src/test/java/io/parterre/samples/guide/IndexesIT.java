package io.parterre.samples.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.models.TableServiceException;
import io.parterre.samples.guide.Reviews.Review;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** More than one way to find an entity, without an index but the keys. */
class IndexesIT {
    private static final Employee JONES =
            new Employee("Sales", "000223", "Jo", "Jones", 41, "jonesj@contoso.com");
    private static final Employee ADAMS =
            new Employee("Sales", "000150", "Terry", "Adams", 29, "adamst@contoso.com");
    private static final Employee ALLEN =
            new Employee("Sales", "000199", "Michael", "Allen", 33, "allenm@contoso.com");
    private static final Employee BAKER =
            new Employee("Sales", "000042", "Mary", "Baker", 37, "bakerm@contoso.com");
    private static final List<Employee> ALL = List.of(JONES, ADAMS, ALLEN, BAKER);

    @Test
    void intraPartitionIndexFindsEmployee_byIdOrEmail() {
        IntraPartitionIndex index = new IntraPartitionIndex(Service.freshTable());
        ALL.forEach(index::save);

        assertThat(index.withId("Sales", "000223")).isEqualTo(JONES);
        assertThat(index.withEmail("Sales", "jonesj@contoso.com")).isEqualTo(JONES);
        assertThat(index.withIds("Sales", "000100", "000200")).containsExactly(ADAMS, ALLEN);
        assertThat(index.withEmailsStarting("Sales", "a")).containsExactly(ADAMS, ALLEN);
    }

    @Test
    void intraPartitionIndexUpdatesBothCopies_whenEmailChanges() {
        IntraPartitionIndex index = new IntraPartitionIndex(Service.freshTable());
        index.save(JONES);

        index.changeEmail(JONES, "jo@contoso.com");

        Employee changed = new Employee("Sales", "000223", "Jo", "Jones", 41, "jo@contoso.com");
        assertThat(index.withId("Sales", "000223")).isEqualTo(changed);
        assertThat(index.withEmail("Sales", "jo@contoso.com")).isEqualTo(changed);
        assertThatThrownBy(() -> index.withEmail("Sales", "jonesj@contoso.com"))
                .isInstanceOf(TableServiceException.class);
    }

    @Test
    void interPartitionIndexFindsEmployee_byIdOrEmail() {
        InterPartitionIndex index = new InterPartitionIndex(Service.freshTable());
        ALL.forEach(index::save);
        index.save(JONES); // Started over: nothing changes.

        assertThat(index.withId("Sales", "000223")).isEqualTo(JONES);
        assertThat(index.withEmail("Sales", "jonesj@contoso.com")).isEqualTo(JONES);
        assertThat(index.withIds("Sales", "000100", "000200")).containsExactly(ADAMS, ALLEN);
        assertThat(index.withEmailsStarting("Sales", "a")).containsExactly(ADAMS, ALLEN);
    }

    @Test
    void lastNameIndexFindsEmployees_byLastName() {
        LastNameIndex index = new LastNameIndex(Service.freshTable());
        Employee other = new Employee("Sales", "000152", "Al", "Jones", 50, "jonesa@contoso.com");
        ALL.forEach(index::add);
        index.add(other);

        assertThat(index.withLastName("Sales", "Jones")).containsExactly(JONES, other);
        assertThat(index.withLastName("Sales", "Adams")).containsExactly(ADAMS);
        assertThat(index.withLastName("Sales", "Nobody")).isEmpty();
    }

    @Test
    void lastNameIndexKeepsAllEmployees_whenAddedConcurrently() {
        LastNameIndex index = new LastNameIndex(Service.freshTable());
        List<Employee> joneses =
                IntStream.range(0, 30)
                        .mapToObj(i -> String.format(Locale.ROOT, "%06d", i))
                        .map(id -> new Employee("Sales", id, "N", "Jones", 30, id + "@contoso.com"))
                        .toList();

        joneses.parallelStream().forEach(index::add);

        assertThat(index.withLastName("Sales", "Jones"))
                .containsExactlyInAnyOrderElementsOf(joneses);
    }

    @Test
    void reviewsAreFound_byEmployeeAndYear() {
        Reviews reviews = new Reviews(Service.freshTable());
        Employee neighbour = new Employee("Sales", "000224", "N", "N", 30, "n@contoso.com");
        Review good = new Review(4, 5, "Sells sand in the desert");
        Review better = new Review(5, 5, "Sells the desert");
        reviews.add(JONES);
        reviews.add(neighbour);
        reviews.add("Sales", "000223", 2013, better);
        reviews.add("Sales", "000223", 2012, good);
        reviews.add("Sales", "000224", 2012, new Review(1, 1, "Somebody else's"));

        assertThat(reviews.review("Sales", "000223", 2012)).isEqualTo(good);
        assertThat(reviews.reviews("Sales", "000223")).isEqualTo(Map.of(2012, good, 2013, better));
    }

    @Test
    void departmentCardShowsCurrentManager() {
        DepartmentCard cards = new DepartmentCard(Service.freshTable());
        cards.saveManager(JONES);
        assertThat(cards.card("Sales"))
                .isEqualTo(new DepartmentCard.Card("Sales", "Jo Jones", "jonesj@contoso.com"));

        cards.saveManager(ADAMS);

        assertThat(cards.card("Sales"))
                .isEqualTo(new DepartmentCard.Card("Sales", "Terry Adams", "adamst@contoso.com"));
    }
}
