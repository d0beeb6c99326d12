package io.parterre.samples.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionFailedException;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The guide's first example, and each kind of query on it. */
class CompanyIT {
    private static final Employee DON =
            new Employee("Marketing", "00001", "Don", "Hall", 34, "donh@contoso.com");
    private static final Employee JUN =
            new Employee("Marketing", "00002", "Jun", "Cao", 47, "junc@contoso.com");
    private static final Employee KEN =
            new Employee("Sales", "00010", "Ken", "Kwok", 23, "kenk@contoso.com");
    private static final Employee SHAY =
            new Employee("Sales", "00011", "Shay", "O'Hall", 47, "shayo@contoso.com");
    private static final Employee ANN =
            new Employee("Sales", "00012", "Ann", "Hall", 51, "annh@contoso.com");

    private final TableClient table = Service.freshTable();
    private final Company company = new Company(table);

    @BeforeEach
    void hire() {
        company.found("Marketing");
        company.found("Sales");
        // Hired in another order than they are listed in.
        List.of(ANN, JUN, KEN, DON, SHAY).forEach(company::hire);
    }

    @Test
    void employeeIsFound_byPointQuery() {
        assertThat(company.employee("Sales", "00010")).contains(KEN);
        assertThat(company.employee("Marketing", "00010")).isEmpty();
    }

    @Test
    void employeesAreFound_byRangeQuery() {
        assertThat(company.employeesWithIds("Sales", "00010", "00012")).containsExactly(KEN, SHAY);
        assertThat(company.employeesWithIds("Sales", "00011", "00099")).containsExactly(SHAY, ANN);
    }

    @Test
    void employeesAreFound_byPartitionScan() {
        assertThat(company.employeesNamed("Sales", "Hall")).containsExactly(ANN);
        assertThat(company.employeesNamed("Sales", "O'Hall")).containsExactly(SHAY);
        assertThat(company.employeesAged("Sales", 30, 51)).containsExactly(SHAY);
    }

    @Test
    void employeesAreFound_byTableScan() {
        assertThat(company.employeesNamedAnywhere("Hall")).containsExactly(DON, ANN);
    }

    @Test
    void emailsOfDepartmentAreReturned() {
        assertThat(company.emails("Marketing"))
                .containsExactly("donh@contoso.com", "junc@contoso.com");
    }

    @Test
    void employeeCountMatchesHires_forEachDepartment() {
        assertThat(company.employeeCount("Marketing")).isEqualTo(2);
        assertThat(company.employeeCount("Sales")).isEqualTo(3);
    }

    @Test
    void employeeCountIsUnchanged_whenHireIsDuplicate() {
        assertThatThrownBy(() -> company.hire(KEN))
                .isInstanceOf(TableTransactionFailedException.class);

        assertThat(company.employeeCount("Sales")).isEqualTo(3);
    }

    @Test
    void employeeCountIsExact_whenHiresAreConcurrent() {
        company.found("Research");

        IntStream.range(0, 30)
                .parallel()
                .mapToObj(i -> String.format(Locale.ROOT, "%05d", i))
                .forEach(
                        id ->
                                company.hire(
                                        new Employee(
                                                "Research",
                                                id,
                                                "N",
                                                "N",
                                                30,
                                                id + "@contoso.com")));

        assertThat(company.employeeCount("Research")).isEqualTo(30);
        assertThat(company.emails("Research")).hasSize(30);
    }

    @Test
    void emailChangeKeepsOtherProperties() {
        company.changeEmail("Sales", "00010", "ken@contoso.com");

        assertThat(company.employee("Sales", "00010"))
                .contains(new Employee("Sales", "00010", "Ken", "Kwok", 23, "ken@contoso.com"));
    }

    @Test
    void renameIsRejected_whenEntityChangedSinceRead() {
        TableEntity asRead = table.getEntity("Sales", "00010");
        company.changeEmail("Sales", "00010", "ken@contoso.com");

        assertThat(company.rename(asRead, "Smith")).isFalse();
        assertThat(company.rename(table.getEntity("Sales", "00010"), "Smith")).isTrue();

        assertThat(company.employee("Sales", "00010"))
                .contains(new Employee("Sales", "00010", "Ken", "Smith", 23, "ken@contoso.com"));
    }
}
